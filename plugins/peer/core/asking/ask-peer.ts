/** One request to a peer, and what is made of its answer. */
import type { TraceContext } from '../../../../core/http/request.ts'
import { isObject } from '../../../../core/is-object.ts'
import type { Tracing } from '../../../telemetry/api.ts'
import type { PeerEntry } from '../../api.ts'
import { type Exchange, type LinkCode, type LinkError, PEER_VERSION, type PeerLink } from '../../api.ts'
import type { PeerStatistics } from '../statistics/peer-statistics.ts'

/** Why a peer could not be asked, or what it answered: a code and words that say what to do. */
export class PeerRefusal extends Error {
  readonly code: string
  readonly status: number
  /** It passes, or may be mended: it is tried again. */
  readonly retryable: true = true
  readonly index: unknown

  constructor(code: string, message: string, status = 0, index?: unknown) {
    super(message)
    this.code = code
    this.status = status
    this.index = index
  }
}

/** What a request to a peer carries. */
export interface Question {
  readonly method: Exchange['method']
  readonly path: string
  /** A value is sent as JSON, bytes as they are. */
  readonly body?: unknown
  /** The trace that it belongs to; one of its own where it is absent. */
  readonly trace?: TraceContext | undefined
  /** Waits as long as the peer asks for by 429. Without it 429 is a refusal at once. */
  readonly waits?: true
}

/** Sends requests to peers. */
export interface Asking {
  /** The JSON of an answer; undefined for one without. Rejects with a `PeerRefusal`. */
  ask(entry: PeerEntry, question: Question): Promise<unknown>
  /** The octets of an answer. */
  fetch(entry: PeerEntry, question: Question): Promise<Uint8Array>
  /** Whether there is a way to a peer; who cannot be called calls by itself. */
  reaches(entry: PeerEntry): boolean
}

/** What asking needs. */
export interface AskingParts {
  /** The way to a peer. */
  readonly linkTo: (entry: PeerEntry) => PeerLink | undefined
  readonly statistics: PeerStatistics
  readonly tracing: Tracing | undefined
  readonly ownId: () => string
  /** Parses strictly, as commands are read wherever they come from. */
  readonly parse: (bytes: Uint8Array) => unknown
  readonly wait: (ms: number) => Promise<void>
  /** Hears of each exchange. */
  readonly told: (outcome: string, bytes: number) => void
}

/** What is no answer in due form. */
const FAULTS: ReadonlySet<string> = new Set<LinkCode>([
  'wrong_key',
  'not_listed',
  'unreachable',
  'timeout',
  'bad_answer',
  'version',
])
/** Pauses that a peer may ask for in a row before its refusal is one, and how long each is at most. */
const MAX_PAUSES = 30
const MAX_PAUSE_MS = 10_000

/** Makes it. */
export function createAsking({ linkTo, statistics, tracing, ownId, parse: read, wait, told }: AskingParts): Asking {
  const send = async (
    entry: PeerEntry,
    { method, path, body, trace }: Question,
  ): Promise<{ status: number; body: Uint8Array; type: string; after: number }> => {
    const link = linkTo(entry)
    if (link === undefined)
      throw new PeerRefusal(
        'unreachable',
        toHint('unreachable', 'no address is entered, so that it has to call itself.', entry, ownId()),
      )
    const octets = body instanceof Uint8Array
    const span = tracing?.start(`peer ${method} ${path.split('/')[4] ?? ''}`, trace, 'client')
    const headers = {
      'svc-peer-version': PEER_VERSION,
      ...(body !== undefined && { 'content-type': octets ? 'application/octet-stream' : 'application/json' }),
      ...span?.headers,
    }
    const text = body === undefined ? undefined : octets ? body : JSON.stringify(body)
    try {
      const answer = await link.exchange(entry, { method, path, headers, ...(text !== undefined && { body: text }) })
      span?.end({ 'http.response.status_code': answer.status })
      told(answer.status < 400 ? 'ok' : 'refused', (text?.length ?? 0) + answer.body.length)
      if (answer.headers['svc-peer-version'] !== PEER_VERSION || answer.status === 426)
        throw new PeerRefusal(
          'version',
          `The peer does not speak version ${PEER_VERSION} of the wire: one side has to be upgraded.`,
          answer.status,
        )
      const after = Number(answer.headers['retry-after'] ?? 1)
      return { status: answer.status, body: answer.body, type: answer.headers['content-type'] ?? '', after }
    } catch (error) {
      span?.end({}, error)
      if (error instanceof PeerRefusal) throw error
      const { code, message } = error as LinkError
      told(code, 0)
      throw new PeerRefusal(code, toHint(code, message, entry, ownId()))
    }
  }

  const settled = async (entry: PeerEntry, question: Question): Promise<{ body: Uint8Array; type: string }> => {
    for (let pauses = 0; ; pauses++) {
      try {
        const answer = await send(entry, question)
        if (answer.status === 429 && question.waits === true && pauses < MAX_PAUSES) {
          await wait(Math.min(MAX_PAUSE_MS, Math.max(0, answer.after) * 1_000 || 100))
          continue
        }
        if (answer.status >= 300 || answer.status < 200) throw refusalOf(answer.status, parse(answer.body), ownId())
        statistics.seen(entry.endpointId)
        return answer
      } catch (error) {
        const { code, message } = error as PeerRefusal
        // Who refuses in due form is there and is heard.
        if (FAULTS.has(code)) statistics.failed(entry.endpointId, code as LinkCode, message)
        else statistics.seen(entry.endpointId)
        throw error
      }
    }
  }

  const parse = (body: Uint8Array): unknown => {
    try {
      return read(body)
    } catch {
      return undefined
    }
  }

  return {
    async ask(entry, question) {
      const { body } = await settled(entry, question)
      if (body.length === 0) return undefined
      const value = parse(body)
      if (value === undefined) {
        const message = 'The answer of the peer is not JSON.'
        statistics.failed(entry.endpointId, 'bad_answer', message)
        throw new PeerRefusal('bad_answer', message)
      }
      return value
    },
    fetch: async (entry, question) => (await settled(entry, question)).body,
    reaches: (entry) => linkTo(entry) !== undefined,
  }
}

function refusalOf(status: number, value: unknown, own: string): PeerRefusal {
  const error = isObject(value) && isObject(value['error']) ? value['error'] : undefined
  const { code, message } = error ?? {}
  if (typeof code !== 'string' || !/^[a-z_]{1,64}$/.test(code))
    return new PeerRefusal('bad_answer', `The peer answered with ${status} without an error code.`, status)
  const said = typeof message === 'string' ? message.slice(0, 120) : ''
  return new PeerRefusal(code, `${hintOf(code, own)} ${status} ${said}`.trim(), status, error!['index'])
}

/** What the owner of the peer can do about a refusal. The projects of an entry are replaced, so all of them are named. */
function hintOf(code: string, own: string): string {
  if (code === 'scope_not_found')
    return `There, the owner names the project with the others of this node: svc peer add ${own} --project <project>, and enrols a device for it.`
  if (code === 'signer_unknown')
    return 'There, the owner enrols the signing device: svc device enroll --key <keyId> --scope <scope>, or svc device import <file>.'
  return 'The peer refused:'
}

/** Which it is and what to do, in the words of the command line. */
function toHint(code: string, message: string, { label, endpointId }: PeerEntry, own: string): string {
  const name = label ?? endpointId.slice(0, 12)
  switch (code) {
    case 'wrong_key':
      return `${message} Check the address of ${name}, or enter its new id: svc peer add <id> --address <host:port> --project <project>`
    case 'not_listed':
      return `${name} does not know this node. There: svc peer add ${own} --project <project>`
    case 'unreachable':
      return `${name}: ${message} Check --address here, and peer.listen there.`
    case 'version':
      return `${name}: ${message} Check the address of ${name}, or upgrade one side.`
    case 'timeout':
      return `${name} did not answer in time. Is it running, and does it listen?`
    default:
      return `${name}: ${message}`
  }
}
