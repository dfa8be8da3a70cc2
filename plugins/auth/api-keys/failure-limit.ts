import { httpFail } from '../../../core/catalogue.ts'

/** Counts failures that cost a hash, by address. */
export interface FailureLimit {
  /** @throws SvcError `rate_limited` with `retry-after` where the address has used up its failures */
  check(address: string): void
  /** Counts a failure of the address. */
  count(address: string): void
}

/** How many failures in how long, and the clock. */
export interface FailureLimitOptions {
  readonly limit: number
  readonly windowMs: number
  /** How many addresses are watched; beyond it, the one that has been watched longest is forgotten. */
  readonly maxAddresses: number
  /** Unix milliseconds. */
  readonly now: () => number
}

/** Makes a limit: after `limit` failures within any `windowMs`, the address has to wait until the first of them is past. */
export function createFailureLimit(options: FailureLimitOptions): FailureLimit {
  /** Times of the last failures by network, oldest first, `limit` at most. */
  const failures = new Map<string, number[]>()
  return {
    check: (address) => {
      const times = failures.get(toNetwork(address))
      if (times === undefined || times.length < options.limit) return
      const waitMs = times[0]! + options.windowMs - options.now()
      if (waitMs > 0) throw httpFail('rate_limited', { headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) } })
    },
    count: (address) => {
      const network = toNetwork(address)
      const times = failures.get(network) ?? []
      times.push(options.now())
      if (times.length > options.limit) times.shift()
      failures.delete(network)
      failures.set(network, times)
      if (failures.size > options.maxAddresses) failures.delete(failures.keys().next().value!)
    },
  }
}

/** What one client commands: an IPv4 address, or the /64 that every IPv6 host has to itself. */
function toNetwork(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address.slice(address.lastIndexOf(':') + 1)
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':')
    while (groups.length + after.length < 8) groups.push('0')
    groups.push(...after)
  }
  return groups.slice(0, 4).join(':')
}
