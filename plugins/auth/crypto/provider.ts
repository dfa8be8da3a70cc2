import type { Awaitable } from '../../../core/awaitable.ts'
import { type Share, shareInProcess } from '../../../core/process-slot.ts'
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

/**
 * A share in the provider of the process: the one that `create` makes, or the one of our own that another runtime
 * installed.
 * @throws SvcError `crypto_provider_conflict` where something that is not ours stands there
 */
export function installCryptoProvider(create: () => CryptoProvider): Share<CryptoProvider> {
  const share = shareInProcess(globalThis, 'svc.crypto.provider', create)
  if (share === undefined) throw authFail('crypto_provider_conflict')
  return share
}
