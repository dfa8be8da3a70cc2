/** Where a reader of events wants to go on. */
import type { SvcRequest } from '../../../core/http/request.ts'
import { malformed } from '../engine/admission/push-request.ts'

/**
 * The position of a request: the `Last-Event-ID` header, else `after` of the query, else undefined. Throws
 * `malformed_request` for anything but a non-negative decimal integer.
 */
export function readCursor(request: SvcRequest): number | undefined {
  const text = request.header('last-event-id') ?? request.queryParam('after')
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text)) throw malformed('after')
  // No sequence comes near: a larger one is simply behind the end.
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER)
}
