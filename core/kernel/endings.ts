/** Credentials that end soon: a metric at each scrape, and a line of the log once a day. */

import type { Gauge } from '../declare/metric.ts'
import type { Clock, Timer } from './environment.ts'
import type { Logger } from './log.ts'
import type { Awaitable } from './values.ts'

/** A credential ends soon if it ends within this time, in milliseconds: two weeks, so that somebody can replace it. */
export const SOON_MS: number = 14 * 86_400_000

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** Ids that a line names. */
const MAX_NAMED = 10

/** A credential that ends. Times are Unix milliseconds. */
export interface Ending {
  readonly id: string
  readonly endsAtMs: number
}

/** What a watch needs. */
export interface EndingWatchParts {
  readonly clock: Clock
  readonly log: Logger
  readonly gauge: Gauge
  /** The line of the log. */
  readonly message: string
  /** The credentials that count now and end before `untilMs`. */
  find(untilMs: number): Awaitable<readonly Ending[]>
}

/** Starts a watch. Returns the function that ends it. */
export function watchEndings({ clock, log, gauge, message, find }: EndingWatchParts): () => void {
  let timer: Timer
  let quietUntilMs = -Infinity
  gauge.sample(async () => gauge.set({}, (await find(clock.now() + SOON_MS)).length))
  const look = async (): Promise<void> => {
    if (clock.monotonic() < quietUntilMs) return
    const endings = await find(clock.now() + SOON_MS)
    if (endings.length === 0) return
    const soonest = endings.toSorted((one, other) => one.endsAtMs - other.endsAtMs).slice(0, MAX_NAMED)
    const named = soonest.map(({ id, endsAtMs }) => `${id} ${new Date(endsAtMs).toISOString()}`)
    log.warn(message, { count: endings.length, soonest: named })
    quietUntilMs = clock.monotonic() + DAY_MS
  }
  const step = (): void => {
    // A store that cannot be read is reported by its readiness; the next look is in an hour.
    void look().catch(() => undefined)
    timer = clock.setTimeout(step, HOUR_MS)
  }
  step()
  return () => clock.clearTimeout(timer)
}
