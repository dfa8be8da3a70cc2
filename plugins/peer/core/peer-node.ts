/** Composes what this node exchanges with its peers: deliveries, pulls, pairing, and the requests of peers. */
import type { InstrumentsOf } from '../../../core/declare/metric.ts'
import type { Tracing } from '../../../core/declare/tracing.ts'
import type { TraceContext } from '../../../core/http/request.ts'
import type { Clock, Random } from '../../../core/kernel/environment.ts'
import type { Logger } from '../../../core/kernel/log.ts'
import type { PeerOverview } from '../../kbd/api.ts'
import type { Boards } from '../../kbd/capabilities.ts'
import type { PeerTransport } from '../../sync/api.ts'
import type { ReceiptStore, SyncEngine, SyncShared } from '../../sync/capabilities.ts'
import type { PeerConnection, PeerEntry, PeerLink } from '../api.ts'
import type { PeerStore } from '../registry/capabilities.ts'
import { createAcceptAcknowledgement } from './acknowledgements/accept.ts'
import { createAcknowledgementSender } from './acknowledgements/send.ts'
import { createAsking } from './asking/ask-peer.ts'
import { createDeliver } from './delivery/deliver.ts'
import { countAcknowledgement, countExchange, type peerMetrics } from './metrics.ts'
import { createPairing, type Pairing } from './pairing/pairing.ts'
import { createPullPeers, type PullPeers } from './pulling/pull-peers.ts'
import { createAdvance } from './receiving/advance.ts'
import { createReceive } from './receiving/receive.ts'
import type { Faults } from './statistics/audit-faults.ts'
import type { Keeper } from './statistics/kept-statistics.ts'
import { createOverview } from './statistics/peer-overview.ts'
import type { PeerStatistics } from './statistics/peer-statistics.ts'
import { createBodyReader } from './wire/bodies.ts'

/** What the exchanges need. */
export interface PeerNodeParts {
  readonly sync: SyncEngine
  readonly shared: SyncShared
  readonly boards: Boards
  readonly peerStore: PeerStore
  readonly statistics: PeerStatistics
  readonly faults: Faults
  readonly before: Keeper['before']
  readonly links: readonly PeerLink[]
  /** The trace of the request that made a push. */
  readonly traceOf: (pushId: string) => TraceContext | undefined
  readonly store: ReceiptStore
  /** The addresses at which this node listens for peers. */
  readonly ownAddresses: () => readonly string[]
  /** Called with the connection of a node that has entered itself with a pairing code. */
  readonly entered: (connection: PeerConnection) => void
  readonly random: Random
  readonly metrics: InstrumentsOf<typeof peerMetrics>
  readonly tracing: Tracing | undefined
  readonly clock: Clock
  readonly log: Logger
  readonly limits: {
    readonly maxBodyBytes: number
    readonly requestTimeoutMs: number
    readonly unnamedContentBytes: number
  }
}

/** The exchanges of a node. */
export interface PeerNode extends PullPeers {
  readonly deliver: PeerTransport['deliver']
  readonly overview: () => Promise<readonly PeerOverview[]>
  /** The routes of the peer surface, by name. */
  readonly receive: ReturnType<typeof createReceive>
  /** Pairing with its routes. */
  readonly pairing: Pairing
  /** Resolves once no acknowledgement is being sent. */
  idle(): Promise<void>
}

/** Creates the exchanges of a node. */
export function createPeerNode(parts: PeerNodeParts): PeerNode {
  const { sync, shared, boards, peerStore, statistics, faults, links, metrics, tracing, clock, log, limits } = parts
  const { registry } = peerStore
  const { maxBodyBytes, requestTimeoutMs, unnamedContentBytes } = limits
  const linkTo = (entry: PeerEntry): PeerLink | undefined => links.find((link) => link.reaches(entry))
  const asking = createAsking({
    linkTo,
    statistics,
    tracing,
    ownId: () => shared.ownKey().endpointId,
    parse: shared.admitJson,
    wait: (ms) => new Promise((done) => void clock.setTimeout(done, ms)),
    onExchange: (outcome, bytes) => countExchange(metrics, 'out', outcome, bytes),
  })
  const accept = createAcceptAcknowledgement({
    sync,
    boards,
    statistics,
    faults,
    count: (state) => countAcknowledgement(metrics, state),
  })
  const advance = createAdvance(boards, peerStore)
  const sender = createAcknowledgementSender({
    peerStore,
    asking,
    advance,
    later: () => new Promise((done) => void clock.setTimeout(done, 0)),
    failed: (peer, error) =>
      log.info('A push of a peer still waits, or its acknowledgement was not taken.', { peer, error }),
  })
  const { traceOf } = parts
  return {
    ...createPullPeers({ registry, asking, boards, shared, statistics, faults, sender, log }),
    deliver: createDeliver({ registry, asking, boards, statistics, accept, faults, traceOf, maxBodyBytes }),
    overview: createOverview({
      registry,
      boards,
      statistics,
      before: parts.before,
      transport: (entry) => (linkTo(entry) ?? links[0])?.name ?? 'none',
    }),
    receive: createReceive({
      boards,
      peerStore,
      advance,
      sender,
      shared,
      statistics,
      accept,
      maxBodyBytes,
      now: clock.now,
      readBody: createBodyReader(clock, requestTimeoutMs, statistics.spend),
      unnamedContentBytes,
    }),
    pairing: createPairing({
      ...parts,
      asking,
      // Bytes of a caller without an entry are bounded by its connections, and counted for no peer.
      readBody: createBodyReader(clock, requestTimeoutMs, () => undefined),
    }),
    idle: () => sender.idle(),
  }
}
