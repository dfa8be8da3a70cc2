import { JOSEError } from 'jose/errors'
import { compactVerify } from 'jose/jws/compact/verify'
import { importJWK } from 'jose/key/import'
import type { RsaJwk, RsaKey } from './provider.ts'

/**
 * Imports an RSA public key with jose.
 * Rejects if jose or WebCrypto refuse the key.
 */
export async function importRsaKey(jwk: RsaJwk): Promise<RsaKey> {
  const key = await importJWK({ kty: 'RSA', n: jwk.n, e: jwk.e }, 'RS256')
  return {
    verify: async (jws) => {
      try {
        await compactVerify(jws.text, key, { algorithms: ['RS256'] })
        return true
      } catch (error) {
        // An error of jose means a bad token. Another error is a failure of the platform, which must not look like one.
        if (error instanceof JOSEError) return false
        throw error
      }
    },
  }
}
