import { JOSEError } from 'jose/errors'
import { compactVerify } from 'jose/jws/compact/verify'
import { importJWK } from 'jose/key/import'
import { encodeBase64url } from '../token/base64url.ts'
import type { CryptoProvider, HmacKey, RsaJwk, RsaKey, SignedText } from './provider.ts'

/** The provider for every platform with WebCrypto: jose for JWS verification and JWK import. */
export function createWebCryptoProvider(): CryptoProvider {
  return { hmacKey: createHmacKey, rsaKey: importRsaKey }
}

/**
 * An RSA key imported and verified by jose, for the providers of all platforms.
 * Rejects where WebCrypto refuses the key.
 */
export async function importRsaKey(jwk: RsaJwk): Promise<RsaKey> {
  const key = await importJWK({ kty: 'RSA', n: jwk.n, e: jwk.e }, 'RS256')
  return { verify: (jws) => isVerified(jws, key, 'RS256') }
}

function createHmacKey(secret: Uint8Array<ArrayBuffer>): HmacKey {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = crypto.subtle.importKey('raw', secret, algorithm, false, ['sign', 'verify'])
  // Whoever uses the key sees the rejection; until then it must not count as unhandled.
  imported.catch(() => {})
  return {
    sign: async (text) =>
      encodeBase64url(new Uint8Array(await crypto.subtle.sign('HMAC', await imported, new TextEncoder().encode(text)))),
    verify: async (jws) => isVerified(jws, await imported, 'HS256'),
  }
}

async function isVerified(jws: SignedText, key: Parameters<typeof compactVerify>[1], alg: string): Promise<boolean> {
  try {
    await compactVerify(jws.text, key, { algorithms: [alg] })
    return true
  } catch (error) {
    // What jose refuses is not verified; what the platform cannot do is a failure of ours and must not look like a bad token.
    if (error instanceof JOSEError) return false
    throw error
  }
}
