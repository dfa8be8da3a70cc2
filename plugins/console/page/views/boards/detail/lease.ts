/** The time left of a claim. */
import { twoDigits } from '../../../lib/format.ts'

/** A claim with less time left than this is shown as a warning, in milliseconds. */
const SOON_MS = 60_000

/** The time left of a lease. */
export interface TimeLeft {
  readonly text: string
  readonly tone: 'plain' | 'warn' | 'ended'
}

/** The time left, as a clock: `1:02:09`, `4:05`, `0:31`. */
export function timeLeft(expiresAtMs: number, nowMs: number): TimeLeft {
  const leftMs = expiresAtMs - nowMs
  if (leftMs <= 0) return { text: 'ended', tone: 'ended' }
  // Rounded down, because `nowMs` may be one second old: rounded up, a new lease would appear longer than it is.
  const seconds = Math.floor(leftMs / 1_000)
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const text =
    hours > 0 ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}` : `${minutes}:${twoDigits(seconds % 60)}`
  return { text, tone: leftMs < SOON_MS ? 'warn' : 'plain' }
}
