import { Secret } from '../../../core/declare/secret.ts'
import type { SettingRefusal } from '../../../core/kernel/settings/resolve.ts'

/**
 * A placeholder for a missing secret. It is public, so it verifies nothing. It has a fixed value so that it is
 * recognized in a configuration into which somebody copied it.
 */
export const FALLBACK_JWT_SECRET = 'svc-fallback-jwt-secret-change-me-now'

/** RFC 7518 section 3.2: a key of the size of the hash output or larger. */
const MIN_SECRET_BYTES = 32

const KEY = 'security.jwt_secret'
const PREVIOUS = 'security.jwt_secret_previous'
const RANDOM_BYTES = `at least ${MIN_SECRET_BYTES} random bytes (openssl rand -base64 48)`

const SHORT = `shorter than the ${MIN_SECRET_BYTES} bytes that HS256 needs`

/** The settings of the shared secrets. */
export interface JwtSecrets {
  readonly 'security.jwt_secret': Secret | null
  readonly 'security.jwt_secret_previous': readonly Secret[]
}

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
    const hint = `Set {security.jwt_secret} to ${RANDOM_BYTES}, or {security.jwks_url} or {security.oidc_issuer}; for anonymous access only, {security.jwt_required}=false.`
    return [{ key: KEY, message, hint }]
  }
  if (bytes.length >= MIN_SECRET_BYTES) return []
  return [{ key: KEY, message: SHORT, hint: `Set {security.jwt_secret} to ${RANDOM_BYTES}.` }]
}

/** The bytes of all secrets that verify tokens, the one that signs first. */
export function readJwtSecrets(settings: JwtSecrets): readonly Uint8Array<ArrayBuffer>[] {
  const configured = [settings['security.jwt_secret'], ...settings['security.jwt_secret_previous']]
  return configured.map(readJwtSecret).filter((bytes) => bytes !== null)
}

/** Validates the secrets that verify and do not sign, and those of exchange tokens, which a profile may lack. */
export function refuseOtherSecrets(
  previous: readonly Secret[],
  all: Readonly<Record<string, unknown>>,
): readonly SettingRefusal[] {
  const refusals: SettingRefusal[] = []
  const problem = 'the built-in fallback, which everybody knows'
  const bytes = previous.map(readJwtSecret)
  const message = bytes.includes(null)
    ? problem
    : bytes.some((one) => one !== null && one.length < MIN_SECRET_BYTES)
      ? `one of them is ${SHORT}`
      : undefined
  if (message !== undefined)
    refusals.push({ key: PREVIOUS, message, hint: 'Leave out what was never a secret of this service.' })
  for (const key of ['security.exchange_secret', 'security.exchange_secret_previous']) {
    const secret = all[key]
    if (secret instanceof Secret && readJwtSecret(secret) === null)
      refusals.push({ key, message: problem, hint: `Set {${key}} to ${RANDOM_BYTES}.` })
  }
  return refusals
}
