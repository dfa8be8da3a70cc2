import { dropOldest } from '../../../core/drop-oldest.ts'

/** Key ids that a reading did not bring, each for `forMs`, so that asking for one again does not cause a reading. */
export interface UnknownKids {
  has(kid: string): boolean
  add(kid: string): void
}

/** Creates the list. It holds at most `max` ids and drops the oldest. */
export function createUnknownKids(options: {
  readonly max: number
  readonly forMs: number
  readonly monotonic: () => number
}): UnknownKids {
  const untilMs = new Map<string, number>()
  return {
    has: (kid) => (untilMs.get(kid) ?? 0) > options.monotonic(),
    add: (kid) => {
      untilMs.delete(kid)
      untilMs.set(kid, options.monotonic() + options.forMs)
      if (untilMs.size > options.max) dropOldest(untilMs)
    },
  }
}
