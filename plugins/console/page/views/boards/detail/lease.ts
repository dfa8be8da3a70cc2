/** How long a claim still holds. */

/** A claim that ends sooner is shown as about to end, in milliseconds. */
const SOON_MS = 60_000

/** The time left of a lease. */
export interface TimeLeft {
  readonly text: string
  readonly tone: 'plain' | 'warn' | 'ended'
}

/** The time left, as a clock: `1:02:09`, `4:05`, `0:31`. */
export function timeLeft(expiresAtMs: number, nowMs: number): TimeLeft {
  const left = expiresAtMs - nowMs
  if (left <= 0) return { text: 'ended', tone: 'ended' }
  // The clock of the page ticks once a second, so `nowMs` may be that much old: rounded up, a lease would begin longer than it is.
  const seconds = Math.floor(left / 1_000)
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const two = (value: number): string => String(value).padStart(2, '0')
  const text = hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
  return { text, tone: left < SOON_MS ? 'warn' : 'plain' }
}
