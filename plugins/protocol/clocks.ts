/**
 * Texts of refusals because of `issuedAtMs`: the difference between the clocks of the signer and of the service, and
 * which of the two clocks is likely wrong.
 */

/** The message of a refusal. It contains the whole text, because a response over HTTP has no hint. */
export interface TimeRefusal {
  readonly message: string
  /** The time of the service, so that a client can compare its own clock. */
  readonly details: { readonly nowMs: number }
}

/** How far two clocks that are right may be apart, in milliseconds. Rules of boards use it, so it is no setting. */
export const CLOCK_TOLERANCE_MS = 30_000

/** This program did not exist before 2026. A clock that shows an earlier time has never been set. */
const FIRST_YEAR_MS = Date.UTC(2026, 0)

/** The refusal of a request with an `issuedAtMs` in the future. All times are Unix time in milliseconds. */
export function fromFuture(issuedAtMs: number, nowMs: number, windowMs: number): TimeRefusal {
  const likely =
    nowMs < FIRST_YEAR_MS
      ? 'The clock of the service is likely wrong: set it.'
      : 'The clock of the signer is likely wrong, unless others are refused too: set it, then sign again.'
  const distance = `${span(issuedAtMs - nowMs)} ahead of the clock of the service, which accepts ${span(windowMs)}`
  return { message: `The issuedAtMs is in the future: ${distance}. ${likely}`, details: { nowMs } }
}

/** The refusal of a request that was signed too long ago. */
export function stale(issuedAtMs: number, nowMs: number, windowMs: number): TimeRefusal {
  const likely =
    issuedAtMs < FIRST_YEAR_MS
      ? 'The clock of the signer is likely wrong: set it, then sign again.'
      : 'Sign again with the present time. If it was signed just now, the clock of the signer is behind, or the clock of the service is ahead.'
  const distance = `${span(nowMs - issuedAtMs)} behind the clock of the service, which accepts ${span(windowMs)}`
  return { message: `The issuedAtMs is too old: ${distance}. ${likely}`, details: { nowMs } }
}

const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['day', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
]

/** A span of time in its two largest units, such as `2 days 3 h`, `12 min 5 s` or `0 s`. */
export function span(ms: number): string {
  let restMs = Math.max(0, Math.round(ms / 1_000)) * 1_000
  const parts: string[] = []
  for (const [name, size] of UNITS) {
    const count = Math.floor(restMs / size)
    restMs -= count * size
    if (count > 0 && parts.length < 2) parts.push(`${count} ${name}${name === 'day' && count > 1 ? 's' : ''}`)
    else if (parts.length > 0) break
  }
  return parts.length === 0 ? '0 s' : parts.join(' ')
}
