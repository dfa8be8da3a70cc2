import type { Secret } from '../../../core/settings/secret.ts'
import { authFail } from '../errors.ts'

/**
 * The secret of a service that was given none. It stands in a public repository, so it verifies nothing; it exists to
 * be recognized by value where somebody copied it into a configuration.
 */
export const FALLBACK_JWT_SECRET = 'svc-fallback-jwt-secret-change-me-now'

/** RFC 7518 section 3.2: a key of the size of the hash output or larger. */
export const MIN_SECRET_BYTES = 32

/**
 * The bytes of the configured HS256 secret, or null where none was configured and none is needed.
 * @throws SvcError `ERR_JWT_SECRET_FALLBACK` in required mode without a deliberate secret, `ERR_JWT_SECRET_SHORT`
 */
export function readJwtSecret(configured: Secret | null, required: boolean): Uint8Array<ArrayBuffer> | null {
  const text = configured?.reveal() ?? FALLBACK_JWT_SECRET
  if (text === FALLBACK_JWT_SECRET) {
    if (required) throw authFail('ERR_JWT_SECRET_FALLBACK')
    return null
  }
  const bytes = new TextEncoder().encode(text)
  if (bytes.length < MIN_SECRET_BYTES) throw authFail('ERR_JWT_SECRET_SHORT')
  return bytes
}
