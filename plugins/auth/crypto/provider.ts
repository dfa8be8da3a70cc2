import type { Awaitable } from '../../../core/awaitable.ts'
import { authFail } from '../errors.ts'

/** A shared secret, ready to sign and verify with HMAC-SHA-256 (the `HS256` of RFC 7518). */
export interface HmacKey {
  /** The MAC of `text`, which is ASCII, in base64url. */
  sign(text: string): Awaitable<string>
  /** Whether `jws` carries the right MAC; the comparison takes the same time whatever the MAC. */
  verify(jws: SignedText): Awaitable<boolean>
}

/** An RSA public key, ready to verify RSASSA-PKCS1-v1_5 with SHA-256 (the `RS256` of RFC 7518). */
export interface RsaKey {
  verify(jws: SignedText): Awaitable<boolean>
}

/** A compact JWS as text, with where its signature begins and the signature's bytes. */
export interface SignedText {
  readonly text: string
  readonly signatureAt: number
  readonly signature: Uint8Array<ArrayBuffer>
}

/** An RSA public key in JWK members (RFC 7518 section 6.3.1), both base64url. */
export interface RsaJwk {
  readonly n: string
  readonly e: string
}

/** The cryptography of tokens and API keys; one per process, whatever runs in it. */
export interface CryptoProvider {
  hmacKey(secret: Uint8Array<ArrayBuffer>): HmacKey
  /** Rejects where the platform refuses the key. */
  rsaKey(jwk: RsaJwk): Promise<RsaKey>
}

/** The hold of one runtime on the provider of the process. */
export interface ProviderLease {
  readonly provider: CryptoProvider
  /** Gives the hold back; the last one removes the provider from the process. Further calls do nothing. */
  release(): void
}

/** What stands at the global symbol: found by brand and version, since another copy of this code may have put it there. */
interface Installation {
  readonly brand: 'svc'
  readonly version: 1
  hold(): ProviderLease
}

const SLOT: symbol = Symbol.for('svc.crypto.provider')

/**
 * Installs the provider that `create` makes, or shares the one of our own that another runtime in this process
 * installed. What stands there is frozen and cannot be written over.
 * @throws SvcError `crypto_provider_conflict` where something that is not ours stands there
 */
export function installCryptoProvider(create: () => CryptoProvider): ProviderLease {
  const present: unknown = Reflect.get(globalThis, SLOT)
  if (present === undefined) return installNew(create())
  if (!isOurs(present)) throw authFail('crypto_provider_conflict')
  return present.hold()
}

function installNew(provider: CryptoProvider): ProviderLease {
  let holders = 0
  const hold = (): ProviderLease => {
    holders++
    let held = true
    const release = (): void => {
      if (!held) return
      held = false
      if (--holders === 0) Reflect.deleteProperty(globalThis, SLOT)
    }
    return { provider, release }
  }
  const installation: Installation = Object.freeze({ brand: 'svc', version: 1, hold })
  Object.defineProperty(globalThis, SLOT, {
    value: installation,
    configurable: true,
    writable: false,
    enumerable: false,
  })
  return hold()
}

function isOurs(value: unknown): value is Installation {
  return (
    typeof value === 'object' &&
    value !== null &&
    'brand' in value &&
    value.brand === 'svc' &&
    'version' in value &&
    value.version === 1 &&
    'hold' in value &&
    typeof value.hold === 'function'
  )
}
