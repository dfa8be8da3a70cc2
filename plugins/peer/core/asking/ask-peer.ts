/** Asks a peer: repeats a request that has to wait, records how the exchange went, and parses the response. */
import type { LinkCode, PeerEntry } from '../../api.ts'
import type { PeerStatistics } from '../statistics/peer-statistics.ts'
import { badAnswer, type PeerRefusal, toRefusal } from './peer-refusal.ts'
import { type Answer, createSendRequest, type Question, type SendParts } from './send-request.ts'

/** Requests to peers. */
export interface Asking {
  /** The parsed JSON of the response; undefined if the response has no body. Rejects with a `PeerRefusal`. */
  ask(entry: PeerEntry, question: Question): Promise<unknown>
  /** The bytes of the response. Rejects with a `PeerRefusal`. */
  fetch(entry: PeerEntry, question: Question): Promise<Uint8Array>
  /** Whether this node can call a peer. A peer without an address calls this node instead. */
  reaches(entry: PeerEntry): boolean
}

/** What asking needs. */
export interface AskingParts extends SendParts {
  readonly statistics: PeerStatistics
  /** Parses JSON strictly, as for commands from any other source. Throws if the bytes are not JSON. */
  readonly parse: (bytes: Uint8Array) => unknown
  readonly wait: (ms: number) => Promise<void>
}

/** Failures of the exchange itself. Any other refusal shows that the peer can be reached. */
const FAULTS: ReadonlySet<string> = new Set<LinkCode>([
  'wrong_key',
  'not_listed',
  'unreachable',
  'timeout',
  'bad_answer',
  'version',
])
/** Most pauses in a row for a peer that responds with 429. */
const MAX_PAUSES = 30
/** The longest pause, in milliseconds. */
const MAX_PAUSE_MS = 10_000

/** Creates the requests to peers. */
export function createAsking(parts: AskingParts): Asking {
  const { linkTo, statistics, ownId, parse, wait } = parts
  const send = createSendRequest(parts)

  const succeed = async (entry: PeerEntry, question: Question): Promise<Answer> => {
    for (let pauses = 0; ; pauses++) {
      try {
        const answer = await send(entry, question)
        if (answer.status === 429 && question.waits === true && pauses < MAX_PAUSES) {
          await wait(Math.min(MAX_PAUSE_MS, Math.max(0, answer.retryAfter) * 1_000 || 100))
          continue
        }
        if (answer.status >= 300 || answer.status < 200)
          throw toRefusal(answer.status, parseOrUndefined(answer.body), entry, ownId())
        statistics.seen(entry.endpointId)
        return answer
      } catch (error) {
        const { code, message } = error as PeerRefusal
        if (FAULTS.has(code)) statistics.failed(entry.endpointId, code as LinkCode, message)
        else statistics.seen(entry.endpointId)
        throw error
      }
    }
  }

  const parseOrUndefined = (body: Uint8Array): unknown => {
    try {
      return parse(body)
    } catch {
      return undefined
    }
  }

  return {
    async ask(entry, question) {
      const { body } = await succeed(entry, question)
      if (body.length === 0) return undefined
      const value = parseOrUndefined(body)
      if (value === undefined) {
        const refusal = badAnswer('The answer of the peer is not JSON.')
        statistics.failed(entry.endpointId, 'bad_answer', refusal.message)
        throw refusal
      }
      return value
    },
    fetch: async (entry, question) => (await succeed(entry, question)).body,
    reaches: (entry) => linkTo(entry) !== undefined,
  }
}
