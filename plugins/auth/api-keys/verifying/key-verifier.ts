import type { Awaitable } from '../../../../core/awaitable.ts'
import type { Clock } from '../../../../core/environment.ts'
import type { SvcRequest } from '../../../../core/http/request.ts'
import { refuse } from '../../errors.ts'
import { createVerdictCache } from '../../guard/verdict-cache.ts'
import type { HashQueue } from '../hashing/hash-queue.ts'
import type { KeyHasher } from '../hashing/hasher.ts'
import { hasRightChecksum, readKeyId } from '../key-text/key-text.ts'
import { type KeyRecord, type KeyStore, ownerKey, requireLive } from '../store/key-store.ts'
import type { FailureLimit } from './failure-limit.ts'
import { createKeyPrinter, type KeyPrint } from './key-print.ts'

/** What verifying keys needs. */
export interface KeyVerifierOptions {
  readonly store: KeyStore
  readonly hasher: KeyHasher
  readonly queue: HashQueue
  readonly limit: FailureLimit
  /** Draws random bytes. */
  readonly draw: (length: number) => Uint8Array
  /** The network that a request comes from; empty where that is not known. */
  readonly networkOf: (request: SvcRequest) => string
  readonly cacheMs: number
  readonly cacheEntries: number
  readonly clock: Clock
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
  const { store } = options
  const { now } = options.clock
  const printOf = createKeyPrinter(options.draw)
  /** Prints of verified keys by their id. */
  const verified = createVerdictCache<KeyPrint>(options.cacheEntries, options.clock)
  const runs = new Map<string, Promise<boolean>>()

  const run = async (text: string, record: KeyRecord, request: SvcRequest): Promise<boolean> => {
    // Where nobody knows who asks, failures count against the key that is guessed at, and not against all others.
    const who = options.networkOf(request) || record.id
    options.limit.check(who)
    return options.queue.run(ownerKey(record.owner), async () => {
      // Others of the same network may have failed while this one waited.
      options.limit.check(who)
      const right = await options.hasher.verify(text, record.hash)
      if (!right) options.limit.count(who)
      return right
    })
  }
  const runOnce = (text: string, record: KeyRecord, request: SvcRequest): Promise<boolean> => {
    let shared = runs.get(text)
    if (shared === undefined) {
      shared = run(text, record, request).finally(() => runs.delete(text))
      runs.set(text, shared)
    }
    return shared
  }
  const use = (found: KeyRecord | undefined): KeyRecord => {
    const nowMs = now()
    const record = requireLive(found, nowMs)
    // A clock that was set back makes the last use one of the future.
    if (record.lastUsedAtMs === null || Math.abs(nowMs - record.lastUsedAtMs) >= TOUCH_INTERVAL_MS) {
      const noted = store.touch(record.id, nowMs)
      if (noted instanceof Promise) noted.catch(options.onTouchFailed)
    }
    return record
  }
  const verifyAnew = async (text: string, id: string, print: KeyPrint, request: SvcRequest): Promise<KeyRecord> => {
    if (!hasRightChecksum(text)) throw refuse('api_key_invalid')
    const record = requireLive(await store.get(id), now())
    if (!(await runOnce(text, record, request))) throw refuse('api_key_invalid')
    // The key may have been revoked while it was being verified.
    const current = use(await store.get(id))
    verified.set(id, print, { keepForMs: options.cacheMs })
    return current
  }
  return {
    verify: (text, request) => {
      // Before the print, which is of texts of this shape.
      const id = readKeyId(text)
      if (id === null) throw refuse('api_key_invalid')
      const print = printOf(text)
      const known = verified.get(id)
      if (known?.one !== print.one || known.two !== print.two) return verifyAnew(text, id, print, request)
      const found = store.get(id)
      return found instanceof Promise ? found.then(use) : use(found)
    },
  }
}
