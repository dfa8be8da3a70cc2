import { type Share, shareInProcess } from '../../../core/kernel/process-slot.ts'
import type { Awaitable } from '../../../core/kernel/values.ts'
import { authFail } from '../errors.ts'

/** A shared secret that signs and verifies with HMAC-SHA-256 (`HS256` of RFC 7518). */
export interface HmacKey {
  /** Returns the MAC of an ASCII text in base64url. */
  sign(text: string): Awaitable<string>
  /** Whether `jws` has the right MAC. The comparison takes constant time. */
  verify(jws: SignedText): Awaitable<boolean>
}

/** An RSA public key that verifies RSASSA-PKCS1-v1_5 with SHA-256 (`RS256` of RFC 7518). */
export interface RsaKey {
  verify(jws: SignedText): Awaitable<boolean>
}

/** A compact JWS with its signature decoded. */
export interface SignedText {
  readonly text: string
  /** Index in `text` at which the signature begins. */
  readonly signatureAt: number
  readonly signature: Uint8Array<ArrayBuffer>
}

/** An RSA public key in JWK members (RFC 7518 section 6.3.1), both base64url. */
export interface RsaJwk {
  readonly n: string
  readonly e: string
}

/** The cryptography of tokens and API keys. A process has one provider, which all services in it share. */
export interface CryptoProvider {
  hmacKey(secret: Uint8Array<ArrayBuffer>): HmacKey
  /** Rejects if the platform refuses the key. */
  rsaKey(jwk: RsaJwk): Promise<RsaKey>
}

/**
 * Returns a share in the provider of the process. The first service of a process installs the provider that `create`
 * returns.
 * @throws SvcError `crypto_provider_conflict` if another component has installed its own provider
 */
export function installCryptoProvider(create: () => CryptoProvider): Share<CryptoProvider> {
  const share = shareInProcess(globalThis, 'svc.crypto.provider', create)
  if (share === undefined) throw authFail('crypto_provider_conflict')
  return share
}
