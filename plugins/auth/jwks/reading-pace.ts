/** When a key set may be read again. Times are in milliseconds on the monotonic clock. */
export interface ReadingPace {
  /** Whether a reading may begin now. */
  mayRead(): boolean
  /** Counts a reading that begins now. */
  begin(): void
  /** Notes how a reading ended; `useful` says that it succeeded and brought a new key. */
  end(useful: boolean): void
}

/** Limits and clock of a pace. */
export interface ReadingPaceOptions {
  /** Pause after a reading that was not useful. */
  readonly cooldownMs: number
  readonly monotonic: () => number
}

/**
 * An issuer that publishes a new key at each reading would never cause a pause, and tokens with unknown key ids need no
 * credential. So readings have a floor of their own: some at once, then one in each interval.
 */
const READINGS_AT_ONCE = 4
const READING_INTERVAL_MS = 5_000

/** Creates the pace of one key set. */
export function createReadingPace({ cooldownMs, monotonic }: ReadingPaceOptions): ReadingPace {
  let pausedUntilMs = -Infinity
  /** The time at which all readings at once are permitted again; each reading moves it by one interval. */
  let refilledAtMs = -Infinity
  return {
    mayRead: () => {
      const nowMs = monotonic()
      return nowMs >= pausedUntilMs && refilledAtMs - nowMs <= (READINGS_AT_ONCE - 1) * READING_INTERVAL_MS
    },
    begin: () => {
      refilledAtMs = Math.max(monotonic(), refilledAtMs) + READING_INTERVAL_MS
    },
    end: (useful) => {
      pausedUntilMs = useful ? -Infinity : monotonic() + cooldownMs
    },
  }
}
