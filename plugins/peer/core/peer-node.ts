/** What this node exchanges with its peers: deliveries, pulls, and the requests of peers. */

import type { Clock } from '../../../core/environment.ts'
import { json } from '../../../core/http/reply.ts'
import type { SvcRequest, TraceContext } from '../../../core/http/request.ts'
import type { Handler } from '../../../core/http/route.ts'
import { isObject } from '../../../core/is-object.ts'
import type { Logger } from '../../../core/log.ts'
import type { Boards } from '../../kbd/capabilities.ts'
import type { PeerTransport } from '../../sync/api.ts'
import type { SyncDoor, SyncEngine } from '../../sync/capabilities.ts'
import type { Telemetry, Tracing } from '../../telemetry/api.ts'
import type { PeerEntry, PeerFigure, PeerLink } from '../api.ts'
import { fail } from '../errors.ts'
import type { PeerDesk } from '../registry/capabilities.ts'
import { createHear } from './acknowledgements/accept.ts'
import { createTell } from './acknowledgements/send.ts'
import { createAsking, PeerRefusal } from './asking/ask-peer.ts'
import { createDeliver } from './delivery/deliver.ts'
import { createPull } from './pulling/pull.ts'
import { createAdvance } from './receiving/advance.ts'
import { createReceive } from './receiving/receive.ts'
import type { Faults } from './statistics/audit-faults.ts'
import { createFigures } from './statistics/peer-overview.ts'
import type { Tallies } from './statistics/peer-statistics.ts'
import { createBodyReader } from './wire/bodies.ts'

/** What the exchanges are made of. */
export interface PeerNodeParts {
  readonly sync: SyncEngine
  readonly door: SyncDoor
  readonly boards: Boards
  readonly desk: PeerDesk
  readonly tallies: Tallies
  readonly faults: Faults
  readonly links: readonly PeerLink[]
  readonly traceOf: (pushId: string) => TraceContext | undefined
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
  readonly figures: () => Promise<readonly PeerFigure[]>
  /** The routes of the peer surface, by name. */
  readonly receive: ReturnType<typeof createReceive>
  /** `POST …/pull` of the local surface. */
  readonly pull: Handler
  /** Pulls every project of every peer that can be called. Ends early once `stopped` returns true. */
  pullAll(stopped: () => boolean): Promise<void>
  /** Resolves once no acknowledgement is being sent. */
  idle(): Promise<void>
}

/** Wires the exchanges. */
export function createPeerNode(parts: PeerNodeParts): PeerNode {
  const { sync, door, boards, desk, tallies, faults, links, telemetry, tracing, clock, log, limits } = parts
  const { book } = desk
  const linkTo = (entry: PeerEntry): PeerLink | undefined => links.find((link) => link.reaches(entry))
  const asking = createAsking({
    linkTo,
    tallies,
    tracing,
    ownId: () => door.ownKey().endpointId,
    parse: door.admitJson,
    wait: (ms) => new Promise((done) => void clock.setTimeout(done, ms)),
    told: (outcome, bytes) => telemetry?.peerExchange('out', outcome, bytes),
  })
  const hear = createHear({ sync, boards, tallies, faults, count: (state) => telemetry?.peerAcknowledgement(state) })
  const advance = createAdvance(boards, desk)
  const tell = createTell({
    desk,
    asking,
    advance,
    later: () => new Promise((done) => void clock.setTimeout(done, 0)),
    failed: (peer, error) => log.info('A push of a peer still waits, or its word was not taken.', { peer, error }),
  })
  const { maxBodyBytes } = limits
  const pull = createPull({ asking, boards, door, tallies, faults })
  return {
    deliver: createDeliver({ book, asking, boards, tallies, hear, faults, traceOf: parts.traceOf, maxBodyBytes }),
    figures: createFigures({
      book,
      boards,
      tallies,
      transport: (entry) => (linkTo(entry) ?? links[0])?.name ?? 'none',
    }),
    receive: createReceive({
      boards,
      desk,
      advance,
      tell,
      door,
      tallies,
      hear,
      maxBodyBytes,
      now: clock.now,
      readBody: createBodyReader(clock, limits.requestTimeoutMs, tallies.spend),
      unnamedContentBytes: limits.unnamedContentBytes,
    }),
    async pull(request: SvcRequest) {
      const body = door.admitJson(await request.body())
      const project = isObject(body) && Object.keys(body).length === 1 ? body['project'] : undefined
      if (typeof project !== 'string') throw fail('malformed_request')
      const entry = await book.find(request.params['peer']!).catch(() => undefined)
      if (entry === undefined) throw fail('peer_not_found')
      if (!(await boards.exists(project))) throw fail('scope_not_found')
      try {
        const pulled = await pull(entry, project)
        tell.ripen(project)
        return json(200, pulled)
      } catch (error) {
        if (!(error instanceof PeerRefusal)) throw error
        throw fail('peer_delivery_failed', { message: error.message, details: { peerCode: error.code } })
      }
    },
    async pullAll(stopped) {
      for (const entry of await book.list()) {
        for (const project of entry.projects) {
          if (stopped()) return
          if (!asking.reaches(entry) || !(await boards.exists(project))) continue
          const pulled = await pull(entry, project).catch((error: unknown) =>
            log.info('A peer was not asked.', { peer: entry.endpointId, project, error }),
          )
          if (pulled) tell.ripen(project)
        }
      }
    },
    idle: () => tell.idle(),
  }
}
