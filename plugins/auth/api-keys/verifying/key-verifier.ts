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

/** Dependencies and limits of the verifier. */
export interface KeyVerifierOptions {
  readonly store: KeyStore
  readonly hasher: KeyHasher
  readonly queue: HashQueue
  readonly limit: FailureLimit
  /** Returns the given number of random bytes. */
  readonly draw: (length: number) => Uint8Array
  /** Returns the network that a request comes from; empty if it is unknown. */
  readonly networkOf: (request: SvcRequest) => string
  /** How long a verified key needs no further hash. */
  readonly cacheMs: number
  readonly cacheEntries: number
  readonly clock: Clock
  /** Called when the store could not write the time of a use. The use itself is accepted. */
  readonly onTouchFailed: (error: unknown) => void
}

/** Verifies API keys. */
export interface KeyVerifier {
  /**
   * Returns the record of a valid key.
   * @throws SvcError `api_key_invalid`, `rate_limited`, `overloaded`
   */
  verify(text: string, request: SvcRequest): Awaitable<KeyRecord>
}

/** The last use is written at most once in this time, so that a busy key does not keep a store busy. */
const TOUCH_INTERVAL_MS = 1_000

/**
 * Creates the verifier. The first use of a key costs an Argon2 run; for `cacheMs` afterwards a use costs a look-up. The record
 * is read from the store at every use, so that a revoked key fails at once. Requests with the same key share one run.
 */
export function createKeyVerifier(options: KeyVerifierOptions): KeyVerifier {
  const { store } = options
  const { now } = options.clock
  const printOf = createKeyPrinter(options.draw)
  /** Prints of verified keys by the id of the key. */
  const verified = createVerdictCache<KeyPrint>(options.cacheEntries, options.clock)
  const hasRightHash = createHashCheck(options)

  const use = (found: KeyRecord | undefined): KeyRecord => {
    const nowMs = now()
    const record = requireLive(found, nowMs)
    // If the clock was set back, the last use is in the future.
    if (record.lastUsedAtMs === null || Math.abs(nowMs - record.lastUsedAtMs) >= TOUCH_INTERVAL_MS) {
      const noted = store.touch(record.id, nowMs)
      if (noted instanceof Promise) noted.catch(options.onTouchFailed)
    }
    return record
  }
  const verifyByHash = async (text: string, id: string, print: KeyPrint, request: SvcRequest): Promise<KeyRecord> => {
    if (!hasRightChecksum(text)) throw refuse('api_key_invalid')
    const record = requireLive(await store.get(id), now())
    if (!(await hasRightHash(text, record, request))) throw refuse('api_key_invalid')
    // The key may have been revoked while its hash was computed.
    const current = use(await store.get(id))
    verified.set(id, print, { keepForMs: options.cacheMs })
    return current
  }
  return {
    verify: (text, request) => {
      // A print exists only for texts of this shape.
      const id = readKeyId(text)
      if (id === null) throw refuse('api_key_invalid')
      const print = printOf(text)
      const known = verified.get(id)
      if (known?.one !== print.one || known.two !== print.two) return verifyByHash(text, id, print, request)
      const found = store.get(id)
      return found instanceof Promise ? found.then(use) : use(found)
    },
  }
}

type HashCheck = (text: string, record: KeyRecord, request: SvcRequest) => Promise<boolean>

/** Creates the comparison of a text with the hash of a record, within the limit of failures. Equal texts share one run. */
function createHashCheck({ hasher, queue, limit, networkOf }: KeyVerifierOptions): HashCheck {
  const runs = new Map<string, Promise<boolean>>()
  const run: HashCheck = async (text, record, request) => {
    // Without a known network, failures count against the key that is guessed, and not against all other callers.
    const source = networkOf(request) || record.id
    limit.check(source)
    return queue.run(ownerKey(record.owner), async () => {
      // Other requests of the source may have failed while this one waited.
      limit.check(source)
      const right = await hasher.verify(text, record.hash)
      if (!right) limit.count(source)
      return right
    })
  }
  return (text, record, request) => {
    let shared = runs.get(text)
    if (shared === undefined) {
      shared = run(text, record, request).finally(() => runs.delete(text))
      runs.set(text, shared)
    }
    return shared
  }
}
