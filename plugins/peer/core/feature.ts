/** The surface between peers, and the requests of this node to its peers. */
import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import type { PluginContext } from '../../../core/declare/plugin.ts'
import type { SettingsOf } from '../../../core/declare/settings.ts'
import type {} from '../../kbd/capabilities.ts'
import type {} from '../../sync/capabilities.ts'
import type { PeerLink } from '../api.ts'
import type { Peers } from '../capabilities.ts'
import { fail } from '../errors.ts'
import type {} from '../registry/capabilities.ts'
import { contract } from './contract.ts'
import { createTraces } from './delivery/traces.ts'
import { countExchange, peerMetrics } from './metrics.ts'
import { createStrangers } from './pairing/strangers.ts'
import { createPeerNode, type PeerNode, type PeerNodeParts } from './peer-node.ts'
import { createPullTimer } from './pulling/pull-timer.ts'
import { createAdmission } from './receiving/admit-connection.ts'
import { createPeerGuard } from './receiving/guard.ts'
import { type PeerState, peerRoutes } from './routes.ts'
import { peerCoreSettings } from './settings.ts'
import { createFaults, type Faults } from './statistics/audit-faults.ts'
import { createKeeper, type Keeper } from './statistics/kept-statistics.ts'
import { createPeerStatistics } from './statistics/peer-statistics.ts'
import { callerOf } from './wire/bodies.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'peer.core': true
  }
}

/** The slowest average rate, in bytes per second, at which a body of the largest size is still read in time. */
const MIN_BYTES_PER_SECOND = 1_024

/** Feature `peer.core`. */
export const feature: FeatureValue<'peer.core', never, 'PeerOverviews' | 'PeerTransport' | 'Peers'> = defineFeature({
  id: 'peer.core',
  about: described({
    at: import.meta.url,
    summary:
      'Pushes go to other nodes and come from them, each ending with a signed acknowledgement of the node that applied it',
    stability: 'experimental',
    since: '0.1.0',
    requires: ['peer.registry', 'kbd.api'],
    platform: 'node',
    contract,
  }),
  needs: {
    // The engine needs the transport of this plugin, and deliveries need the engine and its boards.
    Boards: 'later',
    PeerStore: 'required',
    ReceiptStore: 'required',
    Sync: 'later',
    SyncShared: 'later',
    Tracing: 'optional',
  },
  provides: ['PeerOverviews', 'PeerTransport', 'Peers'],
  settings: peerCoreSettings,
  metrics: peerMetrics,
  errors: fail,
  setup(ctx): PeerState {
    const { settings, metrics, clock, log } = ctx
    const peerStore = ctx.get('PeerStore')
    const [sync, shared, boards] = [ctx.get('Sync'), ctx.get('SyncShared'), ctx.get('Boards')]
    const tracing = ctx.get('Tracing')
    const links: PeerLink[] = []
    const statistics = createPeerStatistics(settings['peer.bytes_per_minute'], clock)
    const keeper = createKeeper({ seen: peerStore.seen, statistics, clock, log })
    const faults = createFaults(ctx.get('ReceiptStore'), clock)
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
        store: ctx.get('ReceiptStore'),
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

    ctx.provide('PeerTransport', {
      untilLastWord: true,
      deliver: (...args) => node().deliver(...args),
      traced: traces.remember,
    })
    ctx.provide('Peers', {
      ...admission,
      maxConnections,
      limits: toListenerLimits(limits, settings['peer.idle_timeout_ms']),
      listensAt: (addresses) => void (ownAddresses = addresses),
      addLink: (link) => void links.push(link),
    })
    ctx.provide('PeerOverviews', () => node().overview())

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
    return { node, receive: createReceiver(node, faults) }
  },
  routes: peerRoutes,
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
    // The reader of bodies (wire/bodies.ts) ends a body that makes no progress; this limit bounds the whole body.
    bodyTimeoutMs: Math.max(requestTimeoutMs, (maxBodyBytes / MIN_BYTES_PER_SECOND) * 1_000),
    idleTimeoutMs,
  }
}

/** Answers nodes that have an entry. Refusals are recorded in the audit chain. */
function createReceiver(node: () => PeerNode, faults: Faults): PeerState['receive'] {
  return async (what, request) => {
    try {
      return await node().receive[what](request)
    } catch (error) {
      await faults.refused(callerOf(request), request.params['project'] ?? null, error)
      throw error
    }
  }
}
