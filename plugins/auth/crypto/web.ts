import { encodeBase64url } from '../../../core/kernel/base64url.ts'
import type { CryptoProvider, HmacKey, RsaJwk, RsaKey, SignedText } from './provider.ts'

const HMAC = { name: 'HMAC', hash: 'SHA-256' }
const RSA = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }

/**
 * Creates the provider for platforms with WebCrypto. It uses no JOSE library, which would be larger than the rest of
 * token verification; the checks that such a library adds are made before the signature is verified.
 */
export function createWebCryptoProvider(): CryptoProvider {
  return { hmacKey: createHmacKey, rsaKey: importRsaKey }
}

function createHmacKey(secret: Uint8Array<ArrayBuffer>): HmacKey {
  const imported = crypto.subtle.importKey('raw', secret, HMAC, false, ['sign', 'verify'])
  // The first use of the key reports a rejection; until then it must not count as unhandled.
  imported.catch(() => {})
  return {
    sign: async (text) =>
      encodeBase64url(new Uint8Array(await crypto.subtle.sign(HMAC, await imported, toBytes(text)))),
    verify: async (jws) => verify(HMAC, await imported, jws),
  }
}

async function importRsaKey({ n, e }: RsaJwk): Promise<RsaKey> {
  const key = await crypto.subtle.importKey('jwk', { kty: 'RSA', n, e }, RSA, false, ['verify'])
  return { verify: (jws) => verify(RSA, key, jws) }
}

function verify(algorithm: typeof RSA, key: CryptoKey, { text, signatureAt, signature }: SignedText): Promise<boolean> {
  return crypto.subtle.verify(algorithm, key, signature, toBytes(text.slice(0, signatureAt - 1)))
}

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}
