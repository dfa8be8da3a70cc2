/** What this node exchanges with its peers: deliveries, pulls, and the requests of peers. */

import type { Clock, Random } from '../../../core/environment.ts'
import { json } from '../../../core/http/reply.ts'
import type { SvcRequest, TraceContext } from '../../../core/http/request.ts'
import type { Handler } from '../../../core/http/route.ts'
import { isObject } from '../../../core/is-object.ts'
import type { Logger } from '../../../core/log.ts'
import type { Boards } from '../../kbd/capabilities.ts'
import type { PeerTransport } from '../../sync/api.ts'
import type { ReceiptStore, SyncEngine, SyncShared } from '../../sync/capabilities.ts'
import type { Telemetry, Tracing } from '../../telemetry/api.ts'
import type { PeerConnection, PeerEntry, PeerLink, PeerOverview } from '../api.ts'
import { fail } from '../errors.ts'
import type { PeerStore } from '../registry/capabilities.ts'
import { createAcceptAcknowledgement } from './acknowledgements/accept.ts'
import { createAcknowledgementSender } from './acknowledgements/send.ts'
import { createAsking, PeerRefusal } from './asking/ask-peer.ts'
import { createDeliver } from './delivery/deliver.ts'
import { createPairing, type PairingRoutes } from './pairing/pairing.ts'
import { createPull } from './pulling/pull.ts'
import { createAdvance } from './receiving/advance.ts'
import { createReceive } from './receiving/receive.ts'
import type { Faults } from './statistics/audit-faults.ts'
import { createOverview } from './statistics/peer-overview.ts'
import type { PeerStatistics } from './statistics/peer-statistics.ts'
import { createBodyReader } from './wire/bodies.ts'

/** What the exchanges are made of. */
export interface PeerNodeParts {
  readonly sync: SyncEngine
  readonly shared: SyncShared
  readonly boards: Boards
  readonly peerStore: PeerStore
  readonly statistics: PeerStatistics
  readonly faults: Faults
  readonly links: readonly PeerLink[]
  readonly traceOf: (pushId: string) => TraceContext | undefined
  readonly store: ReceiptStore
  /** Where this node listens for peers. */
  readonly ownAddresses: () => readonly string[]
  /** Called with the connection of a node that has just been entered. */
  readonly entered: (connection: PeerConnection) => void
  readonly random: Random
  readonly telemetry: Telemetry | undefined
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
export interface PeerNode {
  readonly deliver: PeerTransport['deliver']
  readonly overview: () => Promise<readonly PeerOverview[]>
  /** The routes of the peer surface, by name. */
  readonly receive: ReturnType<typeof createReceive>
  /** Pairing with another node. */
  readonly pairing: PairingRoutes
  /** `POST …/pull` of the local surface. */
  readonly pull: Handler
  /** Pulls every project of every peer that can be called. Ends early once `stopped` returns true. */
  pullAll(stopped: () => boolean): Promise<void>
  /** Resolves once no acknowledgement is being sent. */
  idle(): Promise<void>
}

/** Wires the exchanges. */
export function createPeerNode(parts: PeerNodeParts): PeerNode {
  const { sync, shared, boards, peerStore, statistics, faults, links, telemetry, tracing, clock, log, limits } = parts
  const { registry } = peerStore
  const linkTo = (entry: PeerEntry): PeerLink | undefined => links.find((link) => link.reaches(entry))
  const asking = createAsking({
    linkTo,
    statistics,
    tracing,
    ownId: () => shared.ownKey().endpointId,
    parse: shared.admitJson,
    wait: (ms) => new Promise((done) => void clock.setTimeout(done, ms)),
    told: (outcome, bytes) => telemetry?.peerExchange('out', outcome, bytes),
  })
  const accept = createAcceptAcknowledgement({
    sync,
    boards,
    statistics,
    faults,
    count: (state) => telemetry?.peerAcknowledgement(state),
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
  const { maxBodyBytes } = limits
  const pull = createPull({ asking, boards, shared, statistics, faults })
  return {
    deliver: createDeliver({
      registry,
      asking,
      boards,
      statistics,
      accept,
      faults,
      traceOf: parts.traceOf,
      maxBodyBytes,
    }),
    overview: createOverview({
      registry,
      boards,
      statistics,
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
      readBody: createBodyReader(clock, limits.requestTimeoutMs, statistics.spend),
      unnamedContentBytes: limits.unnamedContentBytes,
    }),
    pairing: createPairing({
      ...parts,
      asking,
      // Bytes of a caller without an entry are bounded by its connections, and counted for nobody.
      readBody: createBodyReader(clock, limits.requestTimeoutMs, () => undefined),
    }),
    async pull(request: SvcRequest) {
      const body = shared.admitJson(await request.body())
      const project = isObject(body) && Object.keys(body).length === 1 ? body['project'] : undefined
      if (typeof project !== 'string') throw fail('malformed_request')
      const entry = await registry.find(request.params['peer']!).catch(() => undefined)
      if (entry === undefined) throw fail('peer_not_found')
      if (!(await boards.exists(project))) throw fail('scope_not_found')
      try {
        const pulled = await pull(entry, project)
        sender.wake(project)
        return json(200, pulled)
      } catch (error) {
        if (!(error instanceof PeerRefusal)) throw error
        throw fail('peer_delivery_failed', { message: error.message, details: { peerCode: error.code } })
      }
    },
    async pullAll(stopped) {
      for (const entry of await registry.list()) {
        for (const project of entry.projects) {
          if (stopped()) return
          if (!asking.reaches(entry) || !(await boards.exists(project))) continue
          const pulled = await pull(entry, project).catch((error: unknown) =>
            log.info('A peer was not asked.', { peer: entry.endpointId, project, error }),
          )
          if (pulled) sender.wake(project)
        }
      }
    },
    idle: () => sender.idle(),
  }
}
