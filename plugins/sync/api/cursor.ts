/** Reads the position after which a reader wants events. */
import type { SvcRequest } from '../../../core/http/request.ts'
import { malformed } from '../engine/admission/push-request.ts'

/**
 * The position of a request: the header `Last-Event-ID`, or else `after` of the query; undefined if there is neither. Throws
 * `malformed_request` for anything but a non-negative decimal integer.
 */
export function readCursor(request: SvcRequest): number | undefined {
  const text = request.header('last-event-id') ?? request.queryParam('after')
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text)) throw malformed('after')
  // No sequence is that large. A larger number is after the last event.
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER)
}
