import type { Awaitable } from '../../../core/awaitable.ts'
import type { RsaJwk, RsaKey } from '../crypto/provider.ts'
import { refuse } from '../errors.ts'
import { type FetchOptions, fetchDocument } from './fetch-document.ts'
import { isSameKey, type KeySet, MAX_KID_LENGTH, readKeySet } from './key-set.ts'

/** What the cache of one JWKS URL needs and is allowed. Times are in milliseconds. */
export interface JwksOptions extends FetchOptions {
  readonly url: string
  readonly maxKeys: number
  /** After an attempt that failed or brought no new key, none is made for this long. */
  readonly cooldownMs: number
  /** From this age on, a use of the set refreshes it in the background. */
  readonly refreshAfterMs: number
  /** Up to this age keys are used while the endpoint is down. */
  readonly maxAgeMs: number
  /** How many unknown kids are remembered. */
  readonly maxUnknownKids: number
  readonly importKey: (jwk: RsaJwk) => Promise<RsaKey>
  /** The clock of pauses and ages: one that is set back would prolong them. */
  readonly monotonic: () => number
  /** Called when a key went away or changed, so that what was verified with it can be dropped. */
  readonly onKeysLost: () => void
  /** Called once per failed attempt, with the reason; it contains nothing that the endpoint sent. */
  readonly onFailure: (reason: unknown) => void
}

/** A key, and for how many milliseconds what it verifies may be kept without asking for the key again. */
interface FoundKey {
  readonly key: RsaKey
  readonly keepForMs: number
}

/** The keys of one JWKS URL. */
export interface JwksCache {
  /**
   * The key named `kid`. A cached key is given at once, whatever the network does.
   * @throws SvcError `jwks_key_unknown`, or `jwks_unavailable` where the last attempt failed
   */
  find(kid: string): Awaitable<FoundKey>
}

/**
 * Makes the cache for one URL. It protects the endpoint and its callers in five ways: one attempt at a time, which all
 * wait for; a pause after each attempt that failed or brought nothing new; a memory of unknown kids until the next
 * permitted attempt; refreshing behind the callers' backs; keys that stay while the endpoint is down.
 */
export function createJwksCache(options: JwksOptions): JwksCache {
  let keys: KeySet = new Map()
  let readAtMs = -Infinity
  let pausedUntilMs = -Infinity
  let failed = false
  let flight: Promise<void> | null = null
  const unknownUntilMs = new Map<string, number>()

  const attempt = async (): Promise<void> => {
    try {
      const known = keys
      const read = await readKeySet(await fetchDocument(options.url, options), { ...options, known })
      // An empty set is a fault of the endpoint, not the order to lock everybody out.
      if (read.size === 0) throw new Error('the set has no key that verifies RS256')
      const isNew = [...read].some(([kid, { jwk }]) => !isKnown(known, kid, jwk))
      const isLost = [...known].some(([kid, { jwk }]) => !isKnown(read, kid, jwk))
      keys = read
      readAtMs = options.monotonic()
      failed = false
      pausedUntilMs = isNew ? -Infinity : readAtMs + options.cooldownMs
      if (isLost) options.onKeysLost()
    } catch (reason) {
      failed = true
      pausedUntilMs = options.monotonic() + options.cooldownMs
      options.onFailure(reason)
    }
  }
  const refresh = (): Promise<void> => {
    flight ??= attempt().finally(() => {
      flight = null
    })
    return flight
  }
  const lookUp = (kid: string): FoundKey | null => {
    const known = keys.get(kid)
    const nowMs = options.monotonic()
    if (known === undefined || nowMs >= readAtMs + options.maxAgeMs) return null
    if (nowMs >= readAtMs + options.refreshAfterMs && nowMs >= pausedUntilMs) void refresh()
    // Whoever keeps a verdict comes back here after `refreshAfterMs`, or a withdrawn key would live on in it.
    return { key: known.key, keepForMs: Math.min(options.refreshAfterMs, readAtMs + options.maxAgeMs - nowMs) }
  }
  const isRemembered = (kid: string): boolean => (unknownUntilMs.get(kid) ?? 0) > options.monotonic()
  const remember = (kid: string): void => {
    unknownUntilMs.delete(kid)
    unknownUntilMs.set(kid, options.monotonic() + options.cooldownMs)
    if (unknownUntilMs.size > options.maxUnknownKids) unknownUntilMs.delete(unknownUntilMs.keys().next().value!)
  }
  const miss = async (kid: string): Promise<FoundKey> => {
    if (
      kid.length <= MAX_KID_LENGTH &&
      !isRemembered(kid) &&
      (flight !== null || options.monotonic() >= pausedUntilMs)
    ) {
      await refresh()
      const found = lookUp(kid)
      if (found !== null) return found
      remember(kid)
    }
    throw refuse(failed ? 'jwks_unavailable' : 'jwks_key_unknown')
  }
  return { find: (kid) => lookUp(kid) ?? miss(kid) }
}

function isKnown(keys: KeySet, kid: string, jwk: RsaJwk): boolean {
  const known = keys.get(kid)
  return known !== undefined && isSameKey(known.jwk, jwk)
}
