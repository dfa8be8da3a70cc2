/** What is known of a minute, and the counts of the minute that is running. */

/** One minute. Numbers are of the runtime surface. */
export interface Minute {
  /** Whole minutes since 1970-01-01T00:00Z. */
  readonly minute: number
  /**
   * By surface and name, such as `runtime persistence`: whether the check passed each time, and whether it is required.
   */
  readonly checks: Readonly<Record<string, CheckBits>>
  readonly requests: number
  /** Answers with a status of 500 or more. */
  readonly errors: number
  /** Answers with 401, 403 or 429. */
  readonly refusals: number
  /** The 95th percentile of the times to an answer, in milliseconds, at most 10 % too high; null without a request. */
  readonly p95Ms: number | null
  /** Most open streams of those that were counted. */
  readonly streams: number
  /** Starts of the service. */
  readonly starts: number
  /**
   * Least room on the disk of the store, in bytes; null if it was not seen. Absent in minutes that an older version has
   * written.
   */
  readonly freeBytes?: number | null
}

/** Bit 0: the check passed each time. Bit 1: the check is required. */
export type CheckBits = number

/** The milliseconds of a minute. */
export const MINUTE_MS = 60_000

/** The minute of a Unix time in milliseconds. */
export function minuteOf(timeMs: number): number {
  return Math.floor(timeMs / MINUTE_MS)
}

/** The minute that is running. */
export interface RunningMinute {
  readonly minute: number
  /** Counts an answer. */
  count(status: number, durationMs: number): void
  /** Adds a look at the checks, at the number of open streams, and at the room on the disk. */
  observe(checks: Minute['checks'], streams: number, freeBytes: number | null): void
  /** Adds what an earlier process has recorded of the same minute. */
  resume(earlier: Minute): void
  /** What is known so far. */
  read(): Minute
}

/** The lowest upper bound of a bucket of times, in milliseconds, and the factor from one bound to the next. */
const FIRST_MS = 0.1
const FACTOR = 1.1
/** The last bound is over a minute. */
const BUCKETS = 141
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 429])

/** Begins a minute, in which the service has started so many times. */
export function createMinute(minute: number, starts: number = 0): RunningMinute {
  let before: Minute | undefined
  const times = new Uint32Array(BUCKETS)
  let [requests, errors, refusals, streams] = [0, 0, 0, 0]
  let checks: Minute['checks'] = {}
  let freeBytes: number | null = null
  const read = (): Minute => ({
    ...{ minute, checks, requests, errors, refusals, streams, starts, freeBytes },
    p95Ms: p95Of(times),
  })
  return {
    minute,
    count(status, durationMs) {
      requests++
      if (status >= 500) errors++
      else if (REFUSALS.has(status)) refusals++
      const step = Math.ceil(Math.log(Math.max(durationMs, FIRST_MS) / FIRST_MS) / Math.log(FACTOR))
      const bucket = Math.min(step, BUCKETS - 1)
      times[bucket] = (times[bucket] ?? 0) + 1
    },
    observe(newChecks, open, free) {
      streams = Math.max(streams, open)
      checks = merged(checks, newChecks)
      freeBytes = least(freeBytes, free)
    },
    resume: (earlier) => void (before = earlier),
    read: () => (before === undefined ? read() : joined(before, read())),
  }
}

/** Two parts of one minute. The percentile of the whole is not known; the larger one is not better than the truth. */
function joined(one: Minute, other: Minute): Minute {
  const p95s = [one.p95Ms, other.p95Ms].filter((value) => value !== null)
  return {
    minute: other.minute,
    checks: merged(one.checks, other.checks),
    requests: one.requests + other.requests,
    errors: one.errors + other.errors,
    refusals: one.refusals + other.refusals,
    p95Ms: p95s.length === 0 ? null : Math.max(...p95s),
    streams: Math.max(one.streams, other.streams),
    starts: one.starts + other.starts,
    freeBytes: least(one.freeBytes, other.freeBytes),
  }
}

/** The smaller one of those that are known. */
function least(one: number | null = null, other: number | null = null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other)
}

/** A check has passed if it has passed both times. */
function merged(one: Minute['checks'], other: Minute['checks']): Minute['checks'] {
  const both = Object.entries(other).map(([name, bits]) => [name, bits & ((one[name] ?? 1) | 2)] as const)
  return { ...one, ...Object.fromEntries(both) }
}

function p95Of(times: Uint32Array): number | null {
  const total = times.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let seen = 0
  const bucket = times.findIndex((count) => (seen += count) >= total * 0.95)
  return Number((FIRST_MS * FACTOR ** bucket).toPrecision(3))
}
