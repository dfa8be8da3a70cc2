/** `svc/dev`: tokens for trying out an embedded runtime. */
import { defineErrors, type ErrorCatalogue } from '../../../core/declare/errors.ts'
import type { Secret } from '../../../core/declare/secret.ts'
import { surroundings } from '../../../core/kernel/settings/surroundings.ts'
import { isObject } from '../../../core/kernel/values.ts'
import { createWebCryptoProvider } from '../crypto/web.ts'
import { readJwtSecret, refuseJwtSecret } from '../jwt/secret.ts'
import { jwtSettings } from '../jwt/settings.ts'
import { type DevUser, devClaims, MAX_TTL_SECONDS, mintToken } from './mint.ts'

/** A code of `createDevToken`. */
export type DevTokenCode = 'ERR_DEV_TOKEN_PRODUCTION' | 'ERR_DEV_TOKEN_SETTINGS'

/**
 * Makes the errors of `createDevToken`.
 *
 * @example
 * ```ts
 * import { isSvcError } from 'svc/plugin'
 * import { createDevToken } from 'svc/dev'
 *
 * const failure = await createDevToken({ sub: 'ada', settings: {} }).catch((error: unknown) => error)
 * isSvcError(failure, 'ERR_DEV_TOKEN_SETTINGS') // → true
 * ```
 */
export const devTokenFail: ErrorCatalogue<DevTokenCode> = defineErrors<DevTokenCode>({
  ERR_DEV_TOKEN_PRODUCTION: {
    message: 'NODE_ENV is production, where createDevToken signs nothing.',
    hint: 'Get tokens from the issuer that your users sign in with.',
  },
  ERR_DEV_TOKEN_SETTINGS: { message: 'A token for these settings cannot be signed.' },
})

/** The user of a token, and the settings of the runtime that is to accept it. */
export interface DevTokenOptions extends DevUser {
  /** The settings that `createRuntime` got; those of `security` are read. */
  readonly settings: unknown
  /** Life of the token in seconds, from 1 to 999 999 999; one hour without it. */
  readonly ttlSeconds?: number
}

const DEFAULT_TTL_SECONDS = 3_600

/**
 * Signs a bearer token that a runtime with the same settings accepts.
 * @throws SvcError `ERR_DEV_TOKEN_PRODUCTION` if NODE_ENV is `production`; `ERR_DEV_TOKEN_SETTINGS` if the settings
 * have no usable secret or a JWKS, or if `sub` or `ttlSeconds` is invalid
 *
 * @example
 * ```ts
 * import { createDevToken } from 'svc/dev'
 *
 * const settings = { security: { jwt_secret: 'at least 32 bytes, for this machine alone' } }
 * const token = await createDevToken({ sub: 'ada', settings })
 * token.split('.').length // → 3
 * ```
 */
export async function createDevToken({
  settings,
  ttlSeconds = DEFAULT_TTL_SECONDS,
  ...user
}: DevTokenOptions): Promise<string> {
  if (isProduction()) throw devTokenFail('ERR_DEV_TOKEN_PRODUCTION')
  const security = isObject(settings) && isObject(settings['security']) ? settings['security'] : {}
  if (typeof user.sub !== 'string' || user.sub === '') throw fail('sub is not the name of a user.')
  if (!Number.isInteger(ttlSeconds) || ttlSeconds < 1 || ttlSeconds > MAX_TTL_SECONDS)
    throw fail(`ttlSeconds is no whole number of seconds from 1 to ${MAX_TTL_SECONDS}.`)
  for (const name of ['jwks_url', 'oidc_issuer'])
    if (security[name] != null) throw fail(`security.${name} is set: only tokens of that issuer are accepted.`)
  const configured = read(security, 'security.jwt_secret')
  const [refused] = refuseJwtSecret(configured, true)
  if (refused !== undefined) throw fail(`${refused.key}: ${refused.message}.`)
  const claims = devClaims(user, {
    issuer: read(security, 'security.jwt_issuer'),
    audience: read(security, 'security.jwt_audience'),
    tenantClaims: read(security, 'security.tenant_claims'),
    nowSeconds: Math.floor(Date.now() / 1_000),
    ttlSeconds,
  })
  const secret = readJwtSecret(configured)
  if (secret === null) throw fail('security.jwt_secret is not set.')
  const key = createWebCryptoProvider().hmacKey(secret)
  return mintToken(key, { typ: 'JWT' }, claims)
}

type SecurityKey = 'security.jwt_secret' | 'security.jwt_issuer' | 'security.jwt_audience' | 'security.tenant_claims'

/** The value of a setting as the runtime reads it. */
function read<K extends SecurityKey>(
  security: Readonly<Record<string, unknown>>,
  key: K,
): (typeof jwtSettings)[K]['default'] {
  const setting: (typeof jwtSettings)[K] = jwtSettings[key]
  const input = security[key.slice('security.'.length)]
  if (input === undefined || input === null) return setting.default
  const surplus = surroundings(input)
  if (surplus !== undefined) throw fail(`${key}: expected ${setting.expected}, without ${surplus}.`)
  const value: Secret | string | readonly string[] | null | undefined = setting.read(input)
  if (value === undefined) throw fail(`${key}: expected ${setting.expected}.`)
  return value
}

/** A bundler replaces the whole expression; a platform without `process` is none that runs Node's production. */
function isProduction(): boolean {
  try {
    return process.env.NODE_ENV === 'production'
  } catch {
    return false
  }
}

const fail = (message: string): Error => devTokenFail('ERR_DEV_TOKEN_SETTINGS', { message })
