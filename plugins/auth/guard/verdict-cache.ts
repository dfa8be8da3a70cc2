import type { Clock } from '../../../core/kernel/environment.ts'

/** How long a verdict may be cached; without either bound for ever. */
export interface Keep {
  /** Unix time in milliseconds from which on the credential must be verified again. */
  readonly untilMs?: number
  /** Milliseconds from now after which the credential must be verified again, measured on the monotonic clock. */
  readonly keepForMs?: number
}

/** A cached verdict. */
interface Cached<T> {
  readonly value: T
  readonly untilMs: number
  /** End of `keepForMs`, on the monotonic clock. */
  readonly staleAtMs: number
}

/** Verdicts by the text of the credential, limited in number and in length of the text. */
export interface VerdictCache<T> {
  /** Returns the verdict on `text` if it is cached and still valid. */
  get(text: string): T | undefined
  set(text: string, value: T, keep: Keep): void
  clear(): void
  /** Number of cached verdicts, stale ones included. */
  readonly size: number
}

/** Longer texts are not cached, because they would cost too much memory. */
const MAX_TEXT_LENGTH = 4096

/**
 * Creates a cache of the `entries` most recently used verdicts. The cache has two halves. A full young half replaces
 * the old half, and a hit in the old half moves the entry to the young one. So a hit in the young half writes nothing,
 * and eviction needs no search.
 */
export function createVerdictCache<T>(entries: number, clock: Pick<Clock, 'now' | 'monotonic'>): VerdictCache<T> {
  const half = Math.ceil(entries / 2)
  let young = new Map<string, Cached<T>>()
  let old = new Map<string, Cached<T>>()

  const put = (text: string, entry: Cached<T>): void => {
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
