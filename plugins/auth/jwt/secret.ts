import type { Secret } from '../../../core/settings/secret.ts'
import { refuseSetting } from '../errors.ts'

/**
 * The secret of a service that was given none. It stands in a public repository, so it verifies nothing; it exists to
 * be recognized by value where somebody copied it into a configuration.
 */
export const FALLBACK_JWT_SECRET = 'svc-fallback-jwt-secret-change-me-now'

/** RFC 7518 section 3.2: a key of the size of the hash output or larger. */
const MIN_SECRET_BYTES = 32

const RANDOM_BYTES = `at least ${MIN_SECRET_BYTES} random bytes (openssl rand -base64 48)`

/**
 * The bytes of the configured HS256 secret, or null where none was configured and none is needed.
 * @throws SvcError `ERR_SETTINGS_INVALID` in required mode without a deliberate secret, and for a secret that is short
 */
export function readJwtSecret(configured: Secret | null, required: boolean): Uint8Array<ArrayBuffer> | null {
  const text = configured?.reveal() ?? FALLBACK_JWT_SECRET
  if (text === FALLBACK_JWT_SECRET) {
    if (required) {
      throw refuseSetting(
        'security.jwt_secret',
        'authentication is required, and this is the built-in fallback, which everybody knows',
        `Set SVC_SECURITY__JWT_SECRET to ${RANDOM_BYTES}, or SVC_SECURITY__JWKS_URL; for anonymous access only, SVC_SECURITY__JWT_REQUIRED=false.`,
      )
    }
    return null
  }
  const bytes = new TextEncoder().encode(text)
  if (bytes.length < MIN_SECRET_BYTES) {
    throw refuseSetting(
      'security.jwt_secret',
      `shorter than the ${MIN_SECRET_BYTES} bytes that HS256 needs`,
      `Set SVC_SECURITY__JWT_SECRET to ${RANDOM_BYTES}.`,
    )
  }
  return bytes
}
