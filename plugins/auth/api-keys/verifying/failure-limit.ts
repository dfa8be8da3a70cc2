import { httpFail } from '../../../../core/catalogue.ts'

/** Counts failures that cost a hash, by who caused them: a network, or another text that names him. */
export interface FailureLimit {
  /** @throws SvcError `rate_limited` with `retry-after` where he has used up his failures */
  check(who: string): void
  /** Counts a failure of his. */
  count(who: string): void
}

/** How many failures in how long, and the clock. */
export interface FailureLimitOptions {
  readonly limit: number
  readonly windowMs: number
  /** How many are watched; beyond it, the one that has been watched longest is forgotten. */
  readonly maxWatched: number
  readonly monotonic: () => number
}

/** Makes a limit: after `limit` failures within any `windowMs`, one has to wait until the first of them is past. */
export function createFailureLimit(options: FailureLimitOptions): FailureLimit {
  /** Times of the last failures, oldest first, `limit` at most. */
  const failures = new Map<string, number[]>()
  return {
    check: (who) => {
      const times = failures.get(who)
      if (times === undefined || times.length < options.limit) return
      const waitMs = times[0]! + options.windowMs - options.monotonic()
      if (waitMs > 0) throw httpFail('rate_limited', { headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) } })
    },
    count: (who) => {
      const times = failures.get(who) ?? []
      times.push(options.monotonic())
      if (times.length > options.limit) times.shift()
      failures.delete(who)
      failures.set(who, times)
      if (failures.size > options.maxWatched) failures.delete(failures.keys().next().value!)
    },
  }
}

/** What one client commands: an IPv4 address, or the /64 that every IPv6 host has to itself, of its text by RFC 5952. */
export function toNetwork(address: string): string {
  if (!address.includes(':')) return address
  const missing = 8 - address.split(':').filter(Boolean).length
  const whole = address.replace('::', `:${'0:'.repeat(missing)}`).replace(/^:/, '')
  return whole.split(':').slice(0, 4).join(':')
}
