import type { SettingRefusal } from '../../../core/settings/resolve.ts'
import type { Secret } from '../../../core/settings/secret.ts'

/**
 * A placeholder for a missing secret. It is public, so it verifies nothing. It has a fixed value so that it is recognized in a
 * configuration into which somebody copied it.
 */
export const FALLBACK_JWT_SECRET = 'svc-fallback-jwt-secret-change-me-now'

/** RFC 7518 section 3.2: a key of the size of the hash output or larger. */
const MIN_SECRET_BYTES = 32

const KEY = 'security.jwt_secret'
const RANDOM_BYTES = `at least ${MIN_SECRET_BYTES} random bytes (openssl rand -base64 48)`

/** Returns the bytes of the configured HS256 secret, or null without a secret or with the fallback secret. */
export function readJwtSecret(configured: Secret | null): Uint8Array<ArrayBuffer> | null {
  const text = configured?.reveal() ?? FALLBACK_JWT_SECRET
  return text === FALLBACK_JWT_SECRET ? null : new TextEncoder().encode(text)
}

/** Validates the secret. `required` says whether a missing secret is an error. */
export function refuseJwtSecret(configured: Secret | null, required: boolean): readonly SettingRefusal[] {
  const bytes = readJwtSecret(configured)
  if (bytes === null) {
    if (!required) return []
    const message = 'the built-in fallback, which everybody knows'
    const hint = `Set {security.jwt_secret} to ${RANDOM_BYTES}, or {security.jwks_url}; for anonymous access only, {security.jwt_required}=false.`
    return [{ key: KEY, message, hint }]
  }
  if (bytes.length >= MIN_SECRET_BYTES) return []
  const message = `shorter than the ${MIN_SECRET_BYTES} bytes that HS256 needs`
  return [{ key: KEY, message, hint: `Set {security.jwt_secret} to ${RANDOM_BYTES}.` }]
}
