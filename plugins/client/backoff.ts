/** How long to wait before the next attempt. */
export interface Schedule {
  /** First delay, ms. */
  readonly firstMs: number
  /** Longest delay, ms. */
  readonly maxMs: number
  /** Share by which a delay may be shortened at random, 0 to 1; 0 keeps the schedule exact. */
  readonly jitter: number
  /** Number of attempts in a row that may fail. One more failure stops the stream. */
  readonly maxAttempts: number
}

/** 1, 2, 4, 8, 16, 30, 30 … seconds, without a limit of attempts. */
export const defaultSchedule: Schedule = {
  firstMs: 1_000,
  maxMs: 30_000,
  jitter: 0,
  maxAttempts: Infinity,
}

/** The delay before attempt `attempt`, counted from 1 since the last success, in milliseconds. */
export function delayMs(
  attempt: number,
  { firstMs, maxMs, jitter }: Schedule,
  random: () => number = Math.random,
): number {
  // The exponent is limited, because 2 to the power of a large number of attempts overflows.
  const delay = Math.min(maxMs, firstMs * 2 ** Math.min(attempt - 1, 31))
  return delay * (1 - jitter * random())
}

/** The longest delay of `setTimeout`, in ms. A longer delay would fire at once. */
const longestMs = 2 ** 31 - 1

/** `setTimeout` with a delay of at most the longest one. */
export function wait(run: () => void, ms: number): ReturnType<typeof setTimeout> {
  return setTimeout(run, Math.min(ms, longestMs))
}

/** The delay of a `Retry-After` header (RFC 9110 section 10.2.3), in milliseconds; 0 without a valid header. */
export function retryAfterMs(header: string | null, now: number): number {
  if (header === null) return 0
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now
  return Number.isNaN(ms) ? 0 : Math.max(0, ms)
}
