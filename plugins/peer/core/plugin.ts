/** The surface between peers, and the requests of this node to its peers. */
import { definePlugin, type Plugin, type PluginContext } from '../../../core/plugin.ts'
import type { SettingsOf } from '../../../core/settings/kinds.ts'
import type {} from '../../kbd/capabilities.ts'
import type {} from '../../sync/capabilities.ts'
import type {} from '../../telemetry/capabilities.ts'
import type { PeerLink } from '../api.ts'
import type { Peers } from '../capabilities.ts'
import { fail } from '../errors.ts'
import type {} from '../registry/capabilities.ts'
import { createTraces } from './delivery/traces.ts'
import { countExchange, peerMetrics } from './metrics.ts'
import { createStrangers } from './pairing/strangers.ts'
import { createPeerNode, type PeerNode, type PeerNodeParts } from './peer-node.ts'
import { createPullTimer } from './pulling/pull-timer.ts'
import { createAdmission } from './receiving/admit-connection.ts'
import { createPeerGuard } from './receiving/guard.ts'
import { peerRoutes, routes } from './routes.ts'
import { peerCoreSettings } from './settings.ts'
import { createFaults, type Faults } from './statistics/audit-faults.ts'
import { createKeeper, type Keeper } from './statistics/kept-statistics.ts'
import { createPeerStatistics } from './statistics/peer-statistics.ts'
import { callerOf } from './wire/caller.ts'

/** A body that comes more slowly than this is not read to its end. */
const MIN_BYTES_PER_SECOND = 1_024

/** Feature `peer.core`. */
export const plugin: Plugin = definePlugin({
  name: 'peer.core',
  feature: 'peer.core',
  requires: ['ReceiptStore', 'PeerStore'],
  // The engine needs the transport of this plugin, and deliveries need the engine and its boards.
  requiresLater: ['Sync', 'SyncShared', 'Boards'],
  wants: ['Tracing'],
  provides: ['Peers', 'PeerTransport'],
  settings: peerCoreSettings,
  metrics: peerMetrics,
  routes: Object.values(routes),
  errors: fail,
  setup(ctx) {
    const { settings, metrics, clock, log } = ctx
    const peerStore = ctx.use('PeerStore')
    const [sync, shared, boards] = [ctx.useLater('Sync'), ctx.useLater('SyncShared'), ctx.useLater('Boards')]
    const tracing = ctx.find('Tracing')
    const links: PeerLink[] = []
    const statistics = createPeerStatistics(settings['peer.bytes_per_minute'], clock)
    const keeper = createKeeper({ seen: peerStore.seen, statistics, clock, log })
    const faults = createFaults(ctx.use('ReceiptStore'), clock)
    const traces = createTraces()
    const limits = toLimits(settings)
    const maxConnections = settings['peer.max_connections']
    const { registry, pairings } = peerStore
    const strangers = createStrangers(() => pairings.isOpen(), clock, limits.requestTimeoutMs)
    const opened = (change: 1 | -1): void => metrics.connections.move({}, change)
    const admission = createAdmission({ registry, faults, statistics, maxConnections, strangers, opened })
    let ownAddresses: readonly string[] = []
    let made: PeerNode | undefined
    const node = (): PeerNode =>
      (made ??= createPeerNode({
        sync: sync(),
        shared: shared(),
        boards: boards(),
        peerStore,
        statistics,
        faults,
        before: keeper.before,
        links,
        store: ctx.use('ReceiptStore'),
        ownAddresses: () => ownAddresses,
        entered: admission.entered,
        random: ctx.random,
        traceOf: traces.of,
        metrics,
        tracing,
        clock,
        log,
        limits,
      }))

    const { guard, hook } = createPeerGuard({
      faults,
      strangers,
      registry,
      statistics,
      maxExchanges: settings['peer.max_exchanges'],
      reachable: (endpointId) => sync().resume(endpointId),
      answered: (status, bytes) => countExchange(metrics, 'in', status < 400 ? 'ok' : 'refused', bytes),
    })
    ctx.guard('peer', guard)
    ctx.hook('peer', hook)
    bindRoutes(ctx, { node, faults })

    ctx.provide('PeerTransport', {
      untilLastWord: true,
      deliver: (...given) => node().deliver(...given),
      traced: traces.remember,
    })
    ctx.provide('Peers', {
      ...admission,
      maxConnections,
      limits: toListenerLimits(limits, settings['peer.idle_timeout_ms']),
      listensAt: (addresses) => void (ownAddresses = addresses),
      addLink: (link) => void links.push(link),
      overview: () => node().overview(),
    })

    const everyMs = settings['peer.pull_interval_ms']
    const timer = createPullTimer({ everyMs, clock, log, pullAll: (isStopped) => node().pullAll(isStopped) })
    ctx.onReady(timer.start)
    ctx.onReady(() => node().pairing.unfinished.start())
    // Pulls and acknowledgements end here, because the boards and the engine that they use stop before this plugin.
    ctx.onDrain(async () => {
      await Promise.all([timer.stop(), made?.pairing.unfinished.stop()])
      await made?.idle()
    })
    keepSeen(ctx, keeper)
  },
})

/** What was seen during the drain is saved after it, while the store is still open. */
function keepSeen(ctx: Pick<PluginContext, 'onStart' | 'onStop'>, keeper: Keeper): void {
  ctx.onStart(keeper.start)
  ctx.onStop(keeper.stop)
}

type PeerLimits = PeerNodeParts['limits']

function toLimits(settings: SettingsOf<typeof peerCoreSettings>): PeerLimits {
  return {
    maxBodyBytes: settings['peer.max_body_bytes'],
    requestTimeoutMs: settings['peer.request_timeout_ms'],
    unnamedContentBytes: settings['peer.unnamed_content_bytes'],
  }
}

function toListenerLimits({ requestTimeoutMs, maxBodyBytes }: PeerLimits, idleTimeoutMs: number): Peers['limits'] {
  return {
    headerTimeoutMs: requestTimeoutMs,
    // A body may take as long as it makes progress. The reader of bodies checks that.
    bodyTimeoutMs: Math.max(requestTimeoutMs, (maxBodyBytes / MIN_BYTES_PER_SECOND) * 1_000),
    idleTimeoutMs,
  }
}

/** What binding the routes needs. */
interface RouteParts {
  readonly node: () => PeerNode
  readonly faults: Faults
}

/** Binds the routes to the node. Refusals of peers are recorded in the audit chain. */
function bindRoutes(ctx: Pick<PluginContext, 'route'>, { node, faults }: RouteParts): void {
  for (const name of peerRoutes) {
    ctx.route(routes[name], async (request) => {
      try {
        return await node().receive[name](request)
      } catch (error) {
        await faults.refused(callerOf(request), request.params['project'] ?? null, error)
        throw error
      }
    })
  }
  ctx.route(routes.enter, (request) => node().pairing.enter(request))
  ctx.route(routes.offer, (request) => node().pairing.offer(request))
  ctx.route(routes.join, (request) => node().pairing.join(request))
  ctx.route(routes.pull, (request) => node().pull(request))
}
