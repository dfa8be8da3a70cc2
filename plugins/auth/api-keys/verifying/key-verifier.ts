import type { SvcRequest } from '../../../../core/http/request.ts'
import type { Clock } from '../../../../core/kernel/environment.ts'
import type { Awaitable } from '../../../../core/kernel/values.ts'
import { refuse } from '../../errors.ts'
import { createVerdictCache } from '../../guard/verdict-cache.ts'
import type { HashQueue } from '../hashing/hash-queue.ts'
import type { KeyHasher } from '../hashing/hasher.ts'
import { hasRightChecksum, readKeyId, SECRET_AT } from '../key-text/key-text.ts'
import { type KeyRecord, type KeyStore, ownerKey, requireLive } from '../store/key-store.ts'
import type { FailureLimit } from './failure-limit.ts'

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
 * Creates the verifier. The first use of a key costs an Argon2 run; for `cacheMs` afterwards a use costs a look-up. The
 * record is read from the store at every use, so that a revoked key fails at once. Requests with the same key share one
 * run.
 */
export function createKeyVerifier(options: KeyVerifierOptions): KeyVerifier {
  const { store } = options
  const { now } = options.clock
  const printOf = createKeyPrinter(options.draw)
  /** Prints of verified keys by the id of the key. */
  const verified = createVerdictCache<KeyPrint>(options.cacheEntries, options.clock)
  const hasRightHash = createHashCheck(options)

  const use = (key: KeyRecord | undefined): KeyRecord => {
    const nowMs = now()
    const record = requireLive(key, nowMs)
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
      const entry = verified.get(id)
      if (entry?.one !== print.one || entry.two !== print.two) return verifyByHash(text, id, print, request)
      const record = store.get(id)
      return record instanceof Promise ? record.then(use) : use(record)
    },
  }
}

type HashCheck = (text: string, record: KeyRecord, request: SvcRequest) => Promise<boolean>

/**
 * Creates the comparison of a text with the hash of a record, within the limit of failures. Equal texts share one run.
 */
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

/** Stored for a verified key instead of its text. */
export interface KeyPrint {
  readonly one: number
  readonly two: number
}

/** Weights have 40 bits. With 49 characters below 128 a sum stays below 2^53 and is exact. */
const WEIGHT_BYTES = 5
/** 49 weights for each of the two sums. */
const WEIGHTS = 98

/**
 * Creates the function that computes the print of a text that has the shape of a key: two sums over all characters
 * after the id, each character multiplied by its own weight. The weights are random, drawn by `draw` for the first
 * print, and never leave the process.
 *
 * If two texts differ, at most one of the 2^40 values of a weight makes a sum equal, whatever the other weights are. So
 * a wrong text has the print of the right one with a probability of 2^-80, which depends on no cryptographic
 * assumption. All texts take the same time, a quarter of the time of a hash. A print has at most 106 of the 256 bits of
 * a secret, so a memory dump does not reveal the key.
 */
export function createKeyPrinter(draw: (length: number) => Uint8Array): (text: string) => KeyPrint {
  let weights: Float64Array | undefined
  return (text) => {
    weights ??= new Float64Array(WEIGHTS).map(() => draw(WEIGHT_BYTES).reduce((sum, byte) => sum * 256 + byte, 0))
    let one = 0
    let two = 0
    for (let at = 0; at < WEIGHTS; ) {
      const character = text.charCodeAt(SECRET_AT + at / 2)
      one += weights[at++]! * character
      two += weights[at++]! * character
    }
    return { one, two }
  }
}
