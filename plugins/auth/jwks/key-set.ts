import { decodeBase64url } from '../../../core/kernel/base64url.ts'
import { isObject } from '../../../core/kernel/values.ts'
import type { RsaJwk, RsaKey } from '../crypto/provider.ts'
import { ownMember } from '../token/json-object.ts'
import { unavailable } from './fetch-document.ts'

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
  readonly oldKeys: KeySet
}

// RFC 7518 section 3.3 requires 2048 bits. Beyond 8192 bits one verification takes too much time for an unknown caller.
const MIN_MODULUS_BITS = 2048
const MAX_MODULUS_BITS = 8192

/** Longer ids are ignored. No issuer uses them, and any caller can send them. */
export const MAX_KID_LENGTH = 256

/** The document is bounded by its bytes; this bounds the work for each of its entries. */
const MAX_ENTRIES = 1_024

/**
 * Reads the keys of a JWK set (RFC 7517 section 5) that verify RS256: `kty` RSA, `use` absent or `sig`, `alg` absent or
 * RS256, `key_ops` absent or with `verify`, public, modulus from 2048 to 8192 bits and not from a generator known to be
 * weak, odd exponent from 3 up. All other entries are ignored first, because providers publish keys for other purposes
 * under the same `kid`. A `kid` that usable keys with different moduli share is ambiguous and left out.
 * @throws SvcError `jwks_unavailable` if the document is not a key set or has too many keys
 */
export async function readKeySet(document: string, options: KeySetOptions): Promise<KeySet> {
  const usable = new Map<string, RsaJwk | null>()
  for (const entry of parseEntries(document)) {
    const kid = member(entry, 'kid')
    const jwk = typeof kid === 'string' && kid !== '' && kid.length <= MAX_KID_LENGTH ? toUsableJwk(entry) : null
    if (jwk === null) continue
    const other = usable.get(kid as string)
    usable.set(kid as string, other === undefined || (other !== null && isSameKey(other, jwk)) ? jwk : null)
  }
  if (usable.size > options.maxKeys)
    throw unavailable('not_readable', `the set has more than ${options.maxKeys} usable keys`)
  const keys = new Map<string, KnownKey>()
  for (const [kid, jwk] of usable) {
    if (jwk === null) continue
    const before = options.oldKeys.get(kid)
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
    throw unavailable('not_readable', 'the answer is not JSON')
  }
  const keys = member(set, 'keys')
  if (!Array.isArray(keys)) throw unavailable('not_readable', 'the answer is no JWK set')
  if (keys.length > MAX_ENTRIES) throw unavailable('not_readable', `the set has more than ${MAX_ENTRIES} entries`)
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

/** A member of an entry. Some providers write `null` for a member that a key does not have. */
function member(value: unknown, name: string): unknown {
  return isObject(value) ? (ownMember(value, name) ?? undefined) : undefined
}

/** Primes whose residues identify moduli of the weak generator. One of 2^27 sound moduli is identified by mistake. */
const PRIMES: readonly number[] = [11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157]

const GENERATOR = 65537

/**
 * Whether an RSA modulus comes from the generator of CVE-2017-15361, whose keys can be factored. The primes of such a
 * key are powers of 65537 modulo a product of small primes, and so the modulus is a power of 65537 modulo each of these
 * primes.
 */
function isWeakModulus(modulus: bigint): boolean {
  return PRIMES.every((prime) => isPowerOf(GENERATOR % prime, Number(modulus % BigInt(prime)), prime))
}

function isPowerOf(base: number, value: number, prime: number): boolean {
  let power = 1
  do {
    if (power === value) return true
    power = (power * base) % prime
  } while (power !== 1)
  return false
}
