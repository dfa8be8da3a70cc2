import type { Awaitable } from '../../../core/awaitable.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import type { HmacKey } from '../crypto/provider.ts'
import { refuse } from '../errors.ts'
import { createVerdictCache } from '../guard/verdict-cache.ts'
import type { FailureLimit } from './failure-limit.ts'
import type { HashQueue } from './hash-queue.ts'
import type { KeyHasher } from './hasher.ts'
import { isLive, type KeyRecord, type KeyStore } from './key-store.ts'
import { hasRightChecksum, KEY_LENGTH, readKeyId } from './key-text.ts'

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
  /** Ids of verified keys by the MAC of their text. */
  const verified = createVerdictCache<string>(options.cacheEntries)
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
  const use = (found: KeyRecord | undefined, nowMs: number): KeyRecord => {
    const record = requireLive(found, nowMs)
    if (record.lastUsedAtMs === null || nowMs - record.lastUsedAtMs >= TOUCH_INTERVAL_MS) {
      const noted = store.touch(record.id, nowMs)
      if (noted instanceof Promise) noted.catch(options.onTouchFailed)
    }
    return record
  }
  const verifyAnew = async (text: string, mac: string, request: SvcRequest): Promise<KeyRecord> => {
    const id = readKeyId(text)
    if (id === null || !hasRightChecksum(text)) throw refuse('api_key_invalid')
    const record = requireLive(await store.get(id), now())
    if (!(await runOnce(mac, text, record, request))) throw refuse('api_key_invalid')
    // The key may have been revoked while it was being verified.
    const current = use(await store.get(id), now())
    verified.set(mac, { value: id, untilMs: now() + options.cacheMs })
    return current
  }
  const look = (text: string, mac: string, request: SvcRequest): Awaitable<KeyRecord> => {
    const nowMs = now()
    const id = verified.get(mac, nowMs)
    if (id === undefined) return verifyAnew(text, mac, request)
    const found = store.get(id)
    return found instanceof Promise ? found.then((record) => use(record, now())) : use(found, nowMs)
  }
  return {
    verify: (text, request) => {
      if (text.length !== KEY_LENGTH) throw refuse('api_key_invalid')
      const mac = options.mac().sign(text)
      return mac instanceof Promise ? mac.then((code) => look(text, code, request)) : look(text, mac, request)
    },
  }
}

function requireLive(record: KeyRecord | undefined, nowMs: number): KeyRecord {
  if (record === undefined || !isLive(record, nowMs)) throw refuse('api_key_invalid')
  return record
}
