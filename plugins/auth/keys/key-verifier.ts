import type { SvcRequest } from '../../../core/http/request.ts'
import type { Awaitable, HmacKey } from '../crypto/provider.ts'
import { refuse } from '../errors.ts'
import { createVerdictCache } from '../guard/verdict-cache.ts'
import type { FailureLimit } from './failure-limit.ts'
import type { HashQueue } from './hash-queue.ts'
import type { KeyHasher } from './hasher.ts'
import { isLive, type KeyRecord, type KeyStore } from './key-store.ts'
import { hasRightChecksum, readKeyId } from './key-text.ts'

/** What verifying keys needs. */
export interface KeyVerifierOptions {
  readonly store: KeyStore
  readonly hasher: KeyHasher
  readonly queue: HashQueue
  readonly limit: FailureLimit
  /** A MAC under a random key of the process: the cache holds MACs, so that its memory gives no key away. */
  readonly mac: () => HmacKey
  readonly addressOf: (request: SvcRequest) => string
  readonly cacheMs: number
  readonly cacheEntries: number
  /** Unix milliseconds. */
  readonly now: () => number
  /** Called when a store could not note a use; the use itself stands. */
  readonly onTouchFailed: (error: unknown) => void
}

/** Verifies API keys. */
export interface KeyVerifier {
  /** @throws SvcError `api_key_invalid`, `rate_limited`, `overloaded` */
  verify(text: string, request: SvcRequest): Awaitable<KeyRecord>
}

/** A use is noted once in so long, so that a busy key does not keep a store busy. */
const TOUCH_INTERVAL_MS = 1_000

/**
 * Makes the verifier. A key costs an Argon2 run the first time and a look-up for `cacheMs` after; its record is read
 * from the store at every use, so that a revoked key fails at once. Requests that bring the same key while it is being
 * verified share one run.
 */
export function createKeyVerifier(options: KeyVerifierOptions): KeyVerifier {
  const { store, now } = options
  const verified = createVerdictCache<true>(options.cacheEntries)
  const runs = new Map<string, Promise<boolean>>()

  const run = async (text: string, record: KeyRecord, request: SvcRequest): Promise<boolean> => {
    const address = options.addressOf(request)
    options.limit.check(address)
    return options.queue.run(async () => {
      // Others of the same address may have failed while this one waited.
      options.limit.check(address)
      const right = await options.hasher.verify(text, record.hash)
      if (!right) options.limit.count(address)
      return right
    })
  }
  const runOnce = (mac: string, text: string, record: KeyRecord, request: SvcRequest): Promise<boolean> => {
    let shared = runs.get(mac)
    if (shared === undefined) {
      shared = run(text, record, request).finally(() => runs.delete(mac))
      runs.set(mac, shared)
    }
    return shared
  }
  const touch = (record: KeyRecord): KeyRecord => {
    const atMs = now()
    if (record.lastUsedAtMs === null || atMs - record.lastUsedAtMs >= TOUCH_INTERVAL_MS) {
      const noted = store.touch(record.id, atMs)
      if (noted instanceof Promise) noted.catch(options.onTouchFailed)
    }
    return record
  }
  const verifyAnew = async (text: string, mac: string, record: KeyRecord, request: SvcRequest): Promise<KeyRecord> => {
    if (!(await runOnce(mac, text, record, request))) throw refuse('api_key_invalid')
    // The key may have been revoked while it was being verified.
    const current = checkLive(await store.get(record.id))
    verified.set(mac, { value: true, untilMs: now() + options.cacheMs })
    return touch(current)
  }
  const checkLive = (record: KeyRecord | undefined): KeyRecord => {
    if (record === undefined || !isLive(record, now())) throw refuse('api_key_invalid')
    return record
  }
  const decide = (
    text: string,
    mac: string,
    found: KeyRecord | undefined,
    request: SvcRequest,
  ): Awaitable<KeyRecord> => {
    const record = checkLive(found)
    if (verified.get(mac, now()) === true) return touch(record)
    if (!hasRightChecksum(text)) throw refuse('api_key_invalid')
    return verifyAnew(text, mac, record, request)
  }
  return {
    verify: (text, request) => {
      const id = readKeyId(text)
      if (id === null) throw refuse('api_key_invalid')
      const found = store.get(id)
      const mac = options.mac().sign(text)
      if (found instanceof Promise || mac instanceof Promise) {
        return Promise.all([mac, found]).then(([code, record]) => decide(text, code, record, request))
      }
      return decide(text, mac, found, request)
    },
  }
}
