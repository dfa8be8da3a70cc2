import { JOSEError } from 'jose/errors'
import { compactVerify } from 'jose/jws/compact/verify'
import { importJWK } from 'jose/key/import'
import type { RsaJwk, RsaKey } from './provider.ts'

/**
 * An RSA public key imported and used by jose.
 * Rejects where jose or WebCrypto refuse the key.
 */
export async function importRsaKey(jwk: RsaJwk): Promise<RsaKey> {
  const key = await importJWK({ kty: 'RSA', n: jwk.n, e: jwk.e }, 'RS256')
  return {
    verify: async (jws) => {
      try {
        await compactVerify(jws.text, key, { algorithms: ['RS256'] })
        return true
      } catch (error) {
        // What jose refuses is not verified; what the platform cannot do is a failure of ours, not a bad token.
        if (error instanceof JOSEError) return false
        throw error
      }
    },
  }
}
