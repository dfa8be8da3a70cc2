import type { RsaJwk, RsaKey } from '../crypto/provider.ts'
import { decodeBase64url } from '../token/base64url.ts'
import { isWeakModulus } from './weak-modulus.ts'

/** A key of the set, and its JWK, by which a replaced key is detected. */
interface KnownKey {
  readonly jwk: RsaJwk
  readonly key: RsaKey
}

/** The usable keys of a set by `kid`. */
export type KeySet = ReadonlyMap<string, KnownKey>

/** Options of reading a key set. */
export interface KeySetOptions {
  readonly importKey: (jwk: RsaJwk) => Promise<RsaKey>
  readonly maxKeys: number
  /** The keys of the last reading. An unchanged key is not imported again. */
  readonly known: KeySet
}

// RFC 7518 section 3.3 requires 2048 bits. Beyond 8192 bits one verification takes too much time for an unknown caller.
const MIN_MODULUS_BITS = 2048
const MAX_MODULUS_BITS = 8192

/** Longer ids are ignored. No issuer uses them, and any caller can send them. */
export const MAX_KID_LENGTH = 256

/**
 * Reads the keys of a JWK set (RFC 7517 section 5) that verify RS256: `kty` RSA, `use` absent or `sig`, `alg` absent or
 * RS256, `key_ops` absent or with `verify`, public, modulus from 2048 to 8192 bits and not of a generator known to be
 * weak, odd exponent from 3 up. Other keys are ignored, and so are keys that share a `kid`, which would be ambiguous.
 * @throws Error if the document is not a key set or has too many keys
 */
export async function readKeySet(document: string, options: KeySetOptions): Promise<KeySet> {
  const entries = parseEntries(document)
  if (entries.length > options.maxKeys) throw new Error(`the set has more than ${options.maxKeys} keys`)
  const byKid = new Map<string, unknown[]>()
  for (const entry of entries) {
    const kid = member(entry, 'kid')
    if (typeof kid === 'string' && kid !== '' && kid.length <= MAX_KID_LENGTH) {
      byKid.set(kid, [...(byKid.get(kid) ?? []), entry])
    }
  }
  const keys = new Map<string, KnownKey>()
  for (const [kid, [entry, ...others]] of byKid) {
    const jwk = others.length === 0 ? toUsableJwk(entry) : null
    if (jwk === null) continue
    const before = options.known.get(kid)
    if (before !== undefined && isSameKey(before.jwk, jwk)) keys.set(kid, before)
    else {
      const key = await options.importKey(jwk).catch(() => null)
      if (key !== null) keys.set(kid, { jwk, key })
    }
  }
  return keys
}

/** Whether two JWKs are the same key. */
export function isSameKey(one: RsaJwk, other: RsaJwk): boolean {
  return one.n === other.n && one.e === other.e
}

function parseEntries(document: string): readonly unknown[] {
  let set: unknown
  try {
    set = JSON.parse(document)
  } catch {
    throw new Error('the answer is not JSON')
  }
  const keys = member(set, 'keys')
  if (!Array.isArray(keys)) throw new Error('the answer is no JWK set')
  return keys
}

function toUsableJwk(entry: unknown): RsaJwk | null {
  const use = member(entry, 'use')
  const alg = member(entry, 'alg')
  const operations = member(entry, 'key_ops')
  const usable =
    member(entry, 'kty') === 'RSA' &&
    (use === undefined || use === 'sig') &&
    (alg === undefined || alg === 'RS256') &&
    (operations === undefined || (Array.isArray(operations) && operations.includes('verify'))) &&
    // A published private key can be used by anybody.
    member(entry, 'd') === undefined
  const n = member(entry, 'n')
  const e = member(entry, 'e')
  if (!usable || typeof n !== 'string' || typeof e !== 'string') return null
  const modulus = toInteger(n)
  const exponent = toInteger(e)
  if (modulus === null || exponent === null) return null
  const bits = modulus.toString(2).length
  if (bits < MIN_MODULUS_BITS || bits > MAX_MODULUS_BITS || isWeakModulus(modulus)) return null
  // With exponent 1 the signature equals the signed text, so anybody could forge it.
  return exponent >= 3n && exponent < 2n ** 32n && exponent % 2n === 1n ? { n, e } : null
}

function toInteger(text: string): bigint | null {
  const bytes = text.length > 2 * MAX_MODULUS_BITS ? null : decodeBase64url(text)
  if (bytes === null || bytes.length === 0) return null
  let hex = '0x'
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0')
  return BigInt(hex)
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}
