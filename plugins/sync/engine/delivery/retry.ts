/** Decides whether and when a failed delivery to a peer is tried again. */
import type { Failure } from '../../api.ts'
import type { EngineLimits } from '../options.ts'
import type { StoredPush } from '../store/api.ts'

/**
 * The time of the next attempt, in Unix milliseconds; undefined if the delivery is given up: the peer refused it for good, or the push is
 * older than `settleAfterMs`. A request from a peer that could not be reached ends the pauses of all its deliveries (`resume` of
 * peer-queue.ts).
 */
export function retryAtMs(
  { retryable }: Pick<Failure, 'retryable'>,
  { createdAtMs }: Pick<StoredPush, 'createdAtMs'>,
  attempts: number,
  nowMs: number,
  limits: EngineLimits,
): number | undefined {
  if (!retryable || nowMs >= createdAtMs + limits.settleAfterMs) return undefined
  return nowMs + pauseAfter(attempts, limits)
}

/** The pause after a number of attempts, in milliseconds: `retryFirstMs` after the first one; it doubles up to `retryMaxMs`. */
export function pauseAfter(
  attempts: number,
  { retryFirstMs, retryMaxMs }: Pick<EngineLimits, 'retryFirstMs' | 'retryMaxMs'>,
): number {
  return Math.min(retryFirstMs * 2 ** Math.min(attempts - 1, 30), retryMaxMs)
}
