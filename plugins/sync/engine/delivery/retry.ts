/** Decides whether and when a failed delivery to a peer is tried again. */
import type { Failure } from '../../api.ts'
import type { EngineLimits } from '../options.ts'
import type { StoredPush } from '../store/api.ts'

/**
 * The time of the next attempt, in Unix milliseconds; undefined if the delivery is given up: the peer refused it for
 * good, or the push is older than `settleAfterMs`. The pause is `retryFirstMs` after the first attempt and doubles up
 * to `retryMaxMs`. When a peer that could not be reached sends a request, its failed deliveries are tried without their
 * pauses, until one fails (`resume` of peer-queue.ts).
 */
export function retryAtMs(
  { retryable }: Pick<Failure, 'retryable'>,
  { createdAtMs }: Pick<StoredPush, 'createdAtMs'>,
  attempts: number,
  nowMs: number,
  { settleAfterMs, retryFirstMs, retryMaxMs }: EngineLimits,
): number | undefined {
  if (!retryable || nowMs >= createdAtMs + settleAfterMs) return undefined
  return nowMs + Math.min(retryFirstMs * 2 ** Math.min(attempts - 1, 30), retryMaxMs)
}
