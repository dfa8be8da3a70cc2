/** Reads the bodies of requests between peers: whole, as long as they make progress, and with no unknown members. */
import type { SvcRequest } from '../../../../core/http/request.ts'
import type { Clock } from '../../../../core/kernel/environment.ts'
import { isObject } from '../../../../core/kernel/values.ts'
import type { Acknowledgement, Frontier } from '../../../sync/api.ts'
import type { PeerConnection } from '../../api.ts'
import { fail } from '../../errors.ts'

const HASH = /^[0-9a-f]{64}$/
/** Most ids that one request may name. */
export const MAX_IDS = 64
const ACK_MEMBERS = [
  'context',
  'pushId',
  'endpointId',
  'canonicalPayloadHash',
  'state',
  'failure',
  'appliedFrontier',
  'auditHead',
  'signature',
]

/** Reads the body of a request. */
export type ReadBody = (request: SvcRequest) => Promise<Uint8Array>

/**
 * Creates a reader of bodies. It destroys a connection that receives no bytes for `stalledMs`, and calls `spend` with
 * each body.
 */
export function createBodyReader(
  clock: Clock,
  stalledMs: number,
  spend: (endpointId: string, bytes: number) => void,
): ReadBody {
  return async (request) => {
    const connection = request.peer as PeerConnection
    let read = connection.bytesRead
    let sinceMs = clock.monotonic()
    let timer: unknown
    const checkProgress = (): void => {
      if (connection.bytesRead !== read) {
        read = connection.bytesRead
        sinceMs = clock.monotonic()
      } else if (clock.monotonic() - sinceMs >= stalledMs) connection.destroy()
      timer = clock.setTimeout(checkProgress, Math.min(1_000, stalledMs / 4))
    }
    checkProgress()
    try {
      const body = await request.body()
      spend(connection.endpointId, body.length)
      return body
    } finally {
      clock.clearTimeout(timer)
    }
  }
}

/** The members of an object. Throws `malformed_request` if one is missing or unknown. */
export function members<const N extends string>(value: unknown, ...names: readonly N[]): Readonly<Record<N, unknown>> {
  if (
    !isObject(value) ||
    Object.keys(value).length !== names.length ||
    !names.every((name) => Object.hasOwn(value, name))
  )
    throw malformed('/')
  return value as Record<N, unknown>
}

/** A list of at most `most` values. Throws `malformed_request` for anything else. */
export function listOf(value: unknown, place: string, most: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > most) throw malformed(place)
  return value
}

/** Heads: at most 64, each once, in ascending order. */
function readHeads(value: unknown, place: string): readonly string[] {
  const heads = listOf(value, place, MAX_IDS)
  heads.forEach((head, i) => {
    if (!isHash(head) || (i > 0 && (heads[i - 1] as string) >= head)) throw malformed(place)
  })
  return heads as readonly string[]
}

/** A frontier or null. Throws `malformed_request` for anything else. */
export function readFrontier(value: unknown, place: string): Frontier | null {
  return value === null ? null : { heads: readHeads(members(value, 'heads').heads, `${place}/heads`) }
}

/** Whether a value is 64 lower-case hex digits. */
export function isHash(value: unknown): value is string {
  return typeof value === 'string' && HASH.test(value)
}

/** An acknowledgement of the right form; undefined for anything else. Its signature is not verified here. */
export function readAck(value: unknown): Acknowledgement | undefined {
  if (!isObject(value)) return undefined
  try {
    const ack = members(value, ...ACK_MEMBERS)
    const { failure, state } = ack
    if (
      ack['context'] !== 'svc-peer-ack-1' ||
      typeof ack['pushId'] !== 'string' ||
      typeof ack['signature'] !== 'string'
    )
      return undefined
    if (![ack['endpointId'], ack['canonicalPayloadHash'], ack['auditHead']].every(isHash)) return undefined
    if (state !== 'received' && state !== 'applied' && state !== 'rejected') return undefined
    if (failure !== null) {
      const { code, message, retryable } = members(failure, 'code', 'message', 'retryable')
      if (typeof code !== 'string' || typeof message !== 'string' || typeof retryable !== 'boolean') return undefined
    }
    readFrontier(ack['appliedFrontier'], '')
    return value as unknown as Acknowledgement
  } catch {
    return undefined
  }
}

/** The error `malformed_request` with the JSON pointer of a member. */
export function malformed(place: string): Error {
  return fail('malformed_request', { message: `A member is unknown, missing or of the wrong form: ${place}.` })
}

/** The endpoint id of the caller, as the guard of the peer surface has set it. @throws Error on any other surface */
export function callerOf({ identity }: SvcRequest): string {
  if (identity.user === null) throw new Error('The request did not pass the guard of the peer surface.')
  return identity.user
}

/** The project of a domain such as `kbd-control:demo`. */
export function projectOf(domain: string): string {
  return domain.slice(domain.indexOf(':') + 1)
}
