import { httpFail } from '../../../../core/kernel/catalogue.ts'
import { dropOldest } from '../../../../core/kernel/values.ts'

/** Limits failures that cost a hash. A source is the network of the caller, or the id of the key that is guessed. */
export interface FailureLimit {
  /** @throws SvcError `rate_limited` with `retry-after` if the source has too many recent failures */
  check(source: string): void
  /** Counts a failure of the source. */
  count(source: string): void
}

/** Limits and clock. */
export interface FailureLimitOptions {
  /** Failures of one source within `windowMs`. */
  readonly limit: number
  readonly windowMs: number
  /** Number of sources whose failures are counted; beyond it the source with the oldest last failure is dropped. */
  readonly maxWatched: number
  readonly monotonic: () => number
}

/**
 * Creates a limit. After `limit` failures within `windowMs` a source must wait until the first of them is `windowMs`
 * old.
 */
export function createFailureLimit(options: FailureLimitOptions): FailureLimit {
  /** Times of the last failures by source, oldest first, at most `limit` of them. */
  const failures = new Map<string, number[]>()
  return {
    check: (source) => {
      const times = failures.get(source)
      const [first] = times ?? []
      if (times === undefined || first === undefined || times.length < options.limit) return
      const waitMs = first + options.windowMs - options.monotonic()
      if (waitMs > 0) throw httpFail('rate_limited', { headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) } })
    },
    count: (source) => {
      const times = failures.get(source) ?? []
      times.push(options.monotonic())
      if (times.length > options.limit) times.shift()
      failures.delete(source)
      failures.set(source, times)
      if (failures.size > options.maxWatched) dropOldest(failures)
    },
  }
}
