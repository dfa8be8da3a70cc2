/** The surface between peers, and what this node asks of them. */
import type { TraceContext } from '../../../core/http/request.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import type {} from '../../kbd/capabilities.ts'
import type {} from '../../sync/capabilities.ts'
import type {} from '../../telemetry/capabilities.ts'
import type { PeerConnection, PeerLink } from '../api.ts'
import type { Peers } from '../capabilities.ts'
import { fail } from '../errors.ts'
import type { PeerRegistry } from '../registry/capabilities.ts'
import { createStrangers, type Strangers } from './pairing/strangers.ts'
import { createPeerNode, type PeerNode } from './peer-node.ts'
import { createPeerGuard } from './receiving/guard.ts'
import { peerRoutes, routes } from './routes.ts'
import { peerCoreSettings } from './settings.ts'
import { createFaults, type Faults } from './statistics/audit-faults.ts'
import { createPeerStatistics, type PeerStatistics } from './statistics/peer-statistics.ts'

/** Pushes whose traces are remembered; after a restart, or behind so many others, a delivery begins one of its own. */
const MAX_TRACES = 4_096
/** The slowest body that is still read to its end. */
const MIN_BYTES_PER_SECOND = 1_024

/** Feature `peer.core`. */
export const plugin: Plugin = definePlugin({
  name: 'peer.core',
  feature: 'peer.core',
  requires: ['ReceiptStore', 'PeerStore'],
  // The engine is made with the transport of this plugin, and deliveries need the engine and its boards.
  requiresLater: ['Sync', 'SyncDoor', 'Boards'],
  wants: ['Telemetry', 'Tracing'],
  provides: ['Peers', 'PeerTransport'],
  settings: peerCoreSettings,
  routes: Object.values(routes),
  errors: fail,
  setup(ctx) {
    const { settings, clock, log } = ctx
    const peerStore = ctx.use('PeerStore')
    const [sync, door, boards] = [ctx.useLater('Sync'), ctx.useLater('SyncDoor'), ctx.useLater('Boards')]
    const [telemetry, tracing] = [ctx.find('Telemetry'), ctx.find('Tracing')]
    const links: PeerLink[] = []
    const statistics = createPeerStatistics(settings['peer.bytes_per_minute'], clock)
    const faults = createFaults(ctx.use('ReceiptStore'), clock)
    const traces = createTraces()
    const limits = {
      maxBodyBytes: settings['peer.max_body_bytes'],
      requestTimeoutMs: settings['peer.request_timeout_ms'],
      unnamedContentBytes: settings['peer.unnamed_content_bytes'],
    }
    const strangers = createStrangers(() => peerStore.pairings.isOpen(), clock, limits.requestTimeoutMs)
    const opened = (change: 1 | -1): void => void telemetry?.peerConnections(change)
    let ownAddresses: readonly string[] = []
    let made: PeerNode | undefined
    const node = (): PeerNode =>
      (made ??= createPeerNode({
        sync: sync(),
        door: door(),
        boards: boards(),
        peerStore,
        statistics,
        faults,
        links,
        store: ctx.use('ReceiptStore'),
        ownAddresses: () => ownAddresses,
        entered(connection) {
          if (!strangers.left(connection)) return
          statistics.of(connection.endpointId).connections.add(connection)
          opened(1)
        },
        random: ctx.random,
        traceOf: traces.of,
        telemetry,
        tracing,
        clock,
        log,
        limits,
      }))

    const { guard, hook } = createPeerGuard({
      faults,
      strangers,
      registry: peerStore.registry,
      statistics,
      maxExchanges: settings['peer.max_exchanges'],
      reachable: (endpointId) => sync().resume(endpointId),
      answered: (status, bytes) => telemetry?.peerExchange('in', status < 400 ? 'ok' : 'refused', bytes),
    })
    ctx.guard('peer', guard)
    ctx.hook('peer', hook)
    for (const name of peerRoutes) {
      ctx.route(routes[name], async (request) => {
        try {
          return await node().receive[name](request)
        } catch (error) {
          await faults.refused(request.identity.user!, request.params['project'] ?? null, error)
          throw error
        }
      })
    }
    ctx.route(routes.enter, (request) => node().pairing.enter(request))
    ctx.route(routes.offer, (request) => node().pairing.offer(request))
    ctx.route(routes.join, (request) => node().pairing.join(request))
    ctx.route(routes.pull, (request) => node().pull(request))

    ctx.provide('PeerTransport', {
      untilLastWord: true,
      deliver: (...given) => node().deliver(...given),
      traced: traces.remember,
    })
    const maxConnections = settings['peer.max_connections']
    ctx.provide('Peers', {
      ...createAdmission({
        registry: peerStore.registry,
        faults,
        statistics,
        maxConnections,
        strangers,
        opened,
      }),
      maxConnections,
      limits: {
        headerTimeoutMs: limits.requestTimeoutMs,
        // A body may take as long as it makes progress, which is watched where it is read.
        bodyTimeoutMs: Math.max(limits.requestTimeoutMs, (limits.maxBodyBytes / MIN_BYTES_PER_SECOND) * 1_000),
        idleTimeoutMs: settings['peer.idle_timeout_ms'],
      },
      listensAt: (addresses) => void (ownAddresses = addresses),
      addLink: (link) => void links.push(link),
      overview: () => node().overview(),
    })

    const everyMs = settings['peer.pull_interval_ms']
    let timer: unknown
    let pulling: Promise<void> | undefined
    let stopped = false
    const turn = (): void => {
      pulling = node()
        .pullAll(() => stopped)
        .catch((error: unknown) => log.warn('Peers were not asked.', { error }))
        .finally(() => {
          if (!stopped) timer = clock.setTimeout(turn, everyMs)
        })
    }
    ctx.onReady(() => {
      if (everyMs > 0) timer = clock.setTimeout(turn, everyMs)
    })
    // Before anything stops: pulls and acknowledgements use the boards and the engine, which stop before this plugin.
    ctx.onDrain(async () => {
      stopped = true
      clock.clearTimeout(timer)
      await pulling
      await made?.idle()
    })
  },
})

/** The traces of the newest pushes, so that what is asked of peers about a push continues its trace. */
function createTraces(): {
  of(pushId: string): TraceContext | undefined
  remember(pushId: string, trace: TraceContext): void
} {
  const traces = new Map<string, TraceContext>()
  return {
    of: (pushId) => traces.get(pushId),
    remember(pushId, trace) {
      if (traces.size >= MAX_TRACES) traces.delete(traces.keys().next().value!)
      traces.set(pushId, trace)
    },
  }
}

/** Which connections are let in: some of each listed peer, and those of strangers while a pairing is open. */
function createAdmission(parts: {
  readonly registry: PeerRegistry
  readonly faults: Faults
  readonly statistics: PeerStatistics
  readonly maxConnections: number
  readonly strangers: Strangers
  readonly opened: (change: 1 | -1) => void
}): Pick<Peers, 'admit' | 'left'> {
  const { registry, faults, statistics, strangers, maxConnections, opened } = parts
  return {
    async admit(connection: PeerConnection) {
      const id = connection.endpointId
      if ((await registry.entry(id)) === undefined) {
        if (await strangers.admit(connection)) return true
        await faults.stranger(id)
        return false
      }
      const { connections } = statistics.of(id)
      if (connections.size >= maxConnections) return false
      connections.add(connection)
      opened(1)
      return true
    },
    left(connection) {
      if (strangers.left(connection)) return
      if (statistics.of(connection.endpointId).connections.delete(connection)) opened(-1)
    },
  }
}
