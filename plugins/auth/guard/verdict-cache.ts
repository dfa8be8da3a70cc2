import type { Clock } from '../../../core/environment.ts'

/** How long a verdict may be remembered; for ever where neither is given. */
export interface Keep {
  /** Unix time in milliseconds from which on the credential must be verified again. */
  readonly untilMs?: number
  /** Milliseconds from now after which it must be verified again, whatever the clock is set to meanwhile. */
  readonly keepForMs?: number
}

/** What is remembered of a verified credential. */
interface Remembered<T> {
  readonly value: T
  readonly untilMs: number
  /** The same on the monotonic clock. */
  readonly staleAtMs: number
}

/** Verdicts by credential text, bounded in number and in size. */
export interface VerdictCache<T> {
  /** What was kept for `text`, if it still holds. */
  get(text: string): T | undefined
  set(text: string, value: T, keep: Keep): void
  clear(): void
  /** How many verdicts are held, stale ones included. */
  readonly size: number
}

/** A longer text is verified each time: a few such would fill the cache. */
const MAX_TEXT_LENGTH = 4096

/**
 * Makes a cache that holds up to `entries` verdicts, those used most recently. Two halves take turns: a full young half
 * becomes the old one, and what is used there moves over. So a hit in the young half writes nothing, and nothing is
 * ever searched for a victim.
 */
export function createVerdictCache<T>(entries: number, clock: Pick<Clock, 'now' | 'monotonic'>): VerdictCache<T> {
  const half = Math.ceil(entries / 2)
  let young = new Map<string, Remembered<T>>()
  let old = new Map<string, Remembered<T>>()

  const put = (text: string, entry: Remembered<T>): void => {
    if (text.length > MAX_TEXT_LENGTH || half === 0) return
    if (young.size >= half && !young.has(text)) {
      old = young
      young = new Map()
    }
    young.set(text, entry)
  }
  return {
    get: (text) => {
      const recent = young.get(text)
      const entry = recent ?? old.get(text)
      if (entry === undefined) return undefined
      if (clock.now() >= entry.untilMs || clock.monotonic() >= entry.staleAtMs) {
        young.delete(text)
        old.delete(text)
        return undefined
      }
      if (recent === undefined) put(text, entry)
      return entry.value
    },
    set: (text, value, { untilMs = Infinity, keepForMs = Infinity }) =>
      put(text, { value, untilMs, staleAtMs: clock.monotonic() + keepForMs }),
    clear: () => {
      young.clear()
      old.clear()
    },
    get size() {
      let shared = 0
      for (const text of old.keys()) if (young.has(text)) shared++
      return young.size + old.size - shared
    },
  }
}
