import { type Awaitable, dropOldest } from '../../../core/kernel/values.ts'
import type { RsaJwk, RsaKey } from '../crypto/provider.ts'
import { refuse } from '../errors.ts'
import { type FetchOptions, fetchDocument, unavailable } from './fetch-document.ts'
import { isSameKey, type KeySet, MAX_KID_LENGTH, readKeySet } from './key-set.ts'
import { createReadingPace } from './reading-pace.ts'

/** Dependencies and limits of the cache of one JWKS. Times are in milliseconds. */
export interface JwksOptions extends FetchOptions {
  /** The URL of the set, or a function that finds the URL before each reading. */
  readonly url: string | (() => Promise<string>)
  readonly maxKeys: number
  /** Pause after a reading that failed or brought no new key. */
  readonly cooldownMs: number
  /** Age from which on a use of the set refreshes it in the background. */
  readonly refreshAfterMs: number
  /** Age up to which keys are used while the endpoint is down. */
  readonly maxAgeMs: number
  /** How many unknown kids are remembered. */
  readonly maxUnknownKids: number
  readonly importKey: (jwk: RsaJwk) => Promise<RsaKey>
  /** The clock of pauses and ages. A wall clock that is set back would prolong them. */
  readonly monotonic: () => number
  /** Called when a key was withdrawn or replaced, so that verdicts that depend on it can be dropped. */
  readonly onKeysLost: () => void
  /** Called once per failed reading with its error, which contains nothing that the endpoint sent. */
  readonly onFailure: (error: unknown) => void
}

/** A key of the set. */
export interface FoundKey {
  readonly key: RsaKey
  /** How long a verdict that depends on the key may be cached, in milliseconds. */
  readonly keepForMs: number
}

/** The keys of one JWKS URL. */
export interface JwksCache {
  /**
   * Returns the key named `kid`. A cached key never waits for the network.
   * @throws SvcError `jwks_key_unknown`, or `jwks_unavailable` if the last reading failed
   */
  find(kid: string): Awaitable<FoundKey>
  /**
   * Reads the set now, also during a pause, or waits for a reading that is under way. Keys that the set lacks are not
   * used any more; if it cannot be read, the old keys stay.
   */
  refresh(): Promise<void>
}

/**
 * Creates the cache for one URL. It protects the endpoint and its callers: one reading at a time, which all callers
 * share; a pace for readings; a list of unknown kids; refreshing in the background; keys that stay valid while the
 * endpoint is down.
 */
export function createJwksCache(options: JwksOptions): JwksCache {
  const { monotonic, cooldownMs } = options
  const pace = createReadingPace({ cooldownMs, monotonic })
  const unknown = createUnknownKids({ max: options.maxUnknownKids, forMs: cooldownMs, monotonic })
  let keys: KeySet = new Map()
  let readAtMs = -Infinity
  /** The error of the last reading; null if it succeeded. */
  let failure: unknown = null
  let reading: Promise<void> | null = null

  const read = async (): Promise<void> => {
    pace.begin()
    try {
      const oldKeys = keys
      const url = typeof options.url === 'string' ? options.url : await options.url()
      const newKeys = await readKeySet(await fetchDocument(url, options), { ...options, oldKeys })
      // An empty set is a fault of the endpoint; to accept it would lock everybody out.
      if (newKeys.size === 0) throw unavailable('no_usable_key')
      keys = newKeys
      readAtMs = monotonic()
      failure = null
      pace.end(hasOther(newKeys, oldKeys))
      if (hasOther(oldKeys, newKeys)) options.onKeysLost()
    } catch (error) {
      failure = error
      pace.end(false)
      options.onFailure(error)
    }
  }
  const refresh = (): Promise<void> => {
    reading ??= read().finally(() => {
      reading = null
    })
    return reading
  }
  const lookUp = (kid: string): FoundKey | null => {
    const entry = keys.get(kid)
    const nowMs = monotonic()
    if (entry === undefined || nowMs >= readAtMs + options.maxAgeMs) return null
    if (nowMs >= readAtMs + options.refreshAfterMs && pace.mayRead()) void refresh()
    // A verdict is checked again after `refreshAfterMs`; otherwise it would outlive a withdrawn key.
    return { key: entry.key, keepForMs: Math.min(options.refreshAfterMs, readAtMs + options.maxAgeMs - nowMs) }
  }
  const findByReading = async (kid: string): Promise<FoundKey> => {
    const isWorthReading = kid.length <= MAX_KID_LENGTH && !unknown.has(kid) && (reading !== null || pace.mayRead())
    if (isWorthReading) {
      await refresh()
      const foundKey = lookUp(kid)
      if (foundKey !== null) return foundKey
      unknown.add(kid)
    }
    throw failure ?? refuse('jwks_key_unknown')
  }
  return { find: (kid) => lookUp(kid) ?? findByReading(kid), refresh }
}

/** Whether `keys` has a key that `others` lacks, or has with another modulus or exponent. */
function hasOther(keys: KeySet, others: KeySet): boolean {
  return [...keys].some(([kid, { jwk }]) => {
    const other = others.get(kid)
    return other === undefined || !isSameKey(other.jwk, jwk)
  })
}

/** Key ids that a reading did not bring, each for `forMs`, so that asking for one again does not cause a reading. */
interface UnknownKids {
  has(kid: string): boolean
  add(kid: string): void
}

/** Creates the list. It holds at most `max` ids and drops the oldest. */
function createUnknownKids(options: {
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
