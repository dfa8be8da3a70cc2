/** Sends one request to a peer over the first link that reaches it, with a span of its own. */
import type { Tracing } from '../../../../core/declare/tracing.ts'
import type { TraceContext } from '../../../../core/http/request.ts'
import { type Exchange, type LinkError, PEER_VERSION, type PeerEntry, type PeerLink } from '../../api.ts'
import { PeerRefusal, toLinkRefusal } from './peer-refusal.ts'

/** A request to a peer. */
export interface Question {
  readonly method: Exchange['method']
  readonly path: string
  /** Bytes are sent unchanged, any other value as JSON. */
  readonly body?: unknown
  /** The trace that the request belongs to. Without it the request starts a trace. */
  readonly trace?: TraceContext | undefined
  /** Whether to wait and repeat the request if the peer responds with 429. Otherwise 429 is a refusal. */
  readonly waits?: true
}

/** What sending needs. */
export interface SendParts {
  /** The link to a peer; undefined if it cannot be called. */
  readonly linkTo: (entry: PeerEntry) => PeerLink | undefined
  readonly tracing: Tracing | undefined
  readonly ownId: () => string
  /** Called after each exchange with its outcome and the bytes of both bodies. */
  readonly onExchange: (outcome: string, bytes: number) => void
}

/** A response of a peer. */
export interface Answer {
  readonly status: number
  readonly body: Uint8Array
  /** The seconds of `retry-after`. */
  readonly retryAfter: number
}

/** Sends a request, and resolves with the response whatever its status is. Rejects with a `PeerRefusal`. */
export type SendRequest = (entry: PeerEntry, question: Question) => Promise<Answer>

const NO_LINK = {
  code: 'unreachable',
  message: 'no address is entered, so that it has to call itself.',
  isUnsent: true,
} as const

/** Creates the sending of requests. */
export function createSendRequest({ linkTo, tracing, ownId, onExchange }: SendParts): SendRequest {
  return async (entry, { method, path, body, trace }) => {
    const link = linkTo(entry)
    if (link === undefined) throw toLinkRefusal(NO_LINK, entry, ownId())
    const span = tracing?.start(`peer ${method} ${path.split('/')[4] ?? ''}`, trace, 'client')
    const { type, bytes } = toBody(body)
    const headers = {
      'svc-peer-version': PEER_VERSION,
      ...(type !== undefined && { 'content-type': type }),
      ...span?.headers,
    }
    try {
      const answer = await link.exchange(entry, { method, path, headers, ...(bytes !== undefined && { body: bytes }) })
      span?.end({ 'http.response.status_code': answer.status })
      onExchange(answer.status < 400 ? 'ok' : 'refused', (bytes?.length ?? 0) + answer.body.length)
      if (answer.headers['svc-peer-version'] !== PEER_VERSION || answer.status === 426)
        throw new PeerRefusal(
          'version',
          `The peer does not speak version ${PEER_VERSION} of the wire: one side has to be upgraded.`,
          answer.status,
        )
      return { status: answer.status, body: answer.body, retryAfter: Number(answer.headers['retry-after'] ?? 1) }
    } catch (error) {
      span?.end({}, error)
      if (error instanceof PeerRefusal) throw error
      onExchange((error as LinkError).code, 0)
      throw toLinkRefusal(error as LinkError, entry, ownId())
    }
  }
}

function toBody(body: unknown): { readonly type?: string; readonly bytes?: Uint8Array | string } {
  if (body === undefined) return {}
  if (body instanceof Uint8Array) return { type: 'application/octet-stream', bytes: body }
  return { type: 'application/json', bytes: JSON.stringify(body) }
}
