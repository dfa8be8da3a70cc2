import { refuse } from '../errors.ts'
import { type JsonObject, own, parseJsonObject } from './json-object.ts'

/** Requirements on the claims of a verified token. */
export interface ClaimPolicy {
  readonly issuer: string | undefined
  readonly audience: string | undefined
  readonly validateNbf: boolean
  readonly leewaySeconds: number
  /** Names of the claims that may contain the tenant. The first claim that is present is used. */
  readonly tenantClaims: readonly string[]
}

/** The caller that a verified token describes. */
export interface TokenSubject {
  readonly user: string
  readonly tenant: string
  readonly scopes: readonly string[]
}

/** Tenant of a token without any tenant claim. */
const DEFAULT_TENANT = 'default'

/**
 * Parses the payload of a token whose signature was verified.
 * @throws SvcError `token_claims_invalid` unless the payload is a JSON object with unique names
 */
export function parseClaims(payload: Uint8Array): JsonObject {
  const claims = parseJsonObject(payload)
  if (claims === null) throw refuse('token_claims_invalid')
  return claims
}

/**
 * Checks the registered claims (RFC 7519 section 4.1) against `policy` in this order: types, `exp`, `nbf`, `iss`,
 * `aud`. Returns the time from which on the token is not accepted any more, in Unix milliseconds, leeway included.
 * @throws SvcError with the code of the first check that fails
 */
export function checkRegisteredClaims(claims: JsonObject, policy: ClaimPolicy, nowMs: number): number {
  const leewayMs = policy.leewaySeconds * 1000
  const exp = own(claims, 'exp')
  const iat = own(claims, 'iat')
  const nbf = policy.validateNbf ? own(claims, 'nbf') : undefined
  if (!isNumericDate(exp))
    throw refuse('token_claims_invalid', { message: 'the exp claim of the token is not a number' })
  if (iat !== undefined && !isNumericDate(iat)) throw refuse('token_claims_invalid')
  if (nbf !== undefined && !isNumericDate(nbf)) throw refuse('token_claims_invalid')

  const expiresAtMs = exp * 1000 + leewayMs
  if (nowMs >= expiresAtMs) throw expired(exp, nowMs)
  if (nbf !== undefined && nowMs + leewayMs < nbf * 1000) throw notYetValid(nbf, nowMs)
  if (policy.issuer !== undefined && own(claims, 'iss') !== policy.issuer) throw refuse('token_issuer_mismatch')
  if (policy.audience !== undefined && !hasAudience(own(claims, 'aud'), policy.audience)) {
    throw refuse('token_audience_mismatch')
  }
  return expiresAtMs
}

/**
 * The message gives the least difference between the clocks of the issuer and of this service, and which clock may be
 * wrong. It contains the whole text, because a client does not see the hint.
 */
function expired(exp: number, nowMs: number): Error {
  const seconds = Math.floor(nowMs / 1000 - exp)
  return refuse('token_expired', {
    message: `The token has expired: it ended ${seconds} s behind the clock of this service. If it was issued just now, the clock of the issuer is behind, or ours ahead.`,
  })
}

function notYetValid(nbf: number, nowMs: number): Error {
  const seconds = Math.ceil(nbf - nowMs / 1000)
  return refuse('token_not_yet_valid', {
    message: `The token is not valid yet: it begins ${seconds} s ahead of the clock of this service. If it was issued just now, the clock of the issuer is ahead, or ours behind.`,
  })
}

/**
 * Reads the caller from claims that passed `checkRegisteredClaims`.
 * @throws SvcError `token_claims_invalid` if `sub`, a tenant claim or the scopes have the wrong type
 */
export function readSubject(claims: JsonObject, policy: ClaimPolicy): TokenSubject {
  const user = own(claims, 'sub')
  if (typeof user !== 'string' || user === '') {
    throw refuse('token_claims_invalid', { message: 'the sub claim of the token is not a name' })
  }
  return { user, tenant: readTenant(claims, policy.tenantClaims), scopes: readScopes(claims) }
}

function readTenant(claims: JsonObject, names: readonly string[]): string {
  for (const name of names) {
    if (!Object.hasOwn(claims, name)) continue
    const tenant = claims[name]
    if (typeof tenant === 'string' && tenant !== '') return tenant
    // Falling back to the default tenant would let a broken claim cross a tenant boundary.
    throw refuse('token_claims_invalid', { message: 'the tenant claim of the token is not a name' })
  }
  return DEFAULT_TENANT
}

function readScopes(claims: JsonObject): readonly string[] {
  const text = own(claims, 'scope')
  if (typeof text === 'string') return splitScope(text)
  if (text !== undefined) throw refuse('token_claims_invalid', { message: 'the scope claim is not a string' })
  const list = own(claims, 'scp')
  if (list === undefined) return []
  if (typeof list === 'string') return splitScope(list)
  if (Array.isArray(list) && list.every((scope) => typeof scope === 'string')) return [...new Set<string>(list)]
  throw refuse('token_claims_invalid', { message: 'the scp claim is not a list of strings' })
}

/** Splits a space-separated list of scopes (RFC 6749 section 3.3) and removes duplicates. */
export function splitScope(text: string): string[] {
  return [...new Set(text.split(' ').filter((scope) => scope !== ''))]
}

function isNumericDate(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function hasAudience(claim: unknown, audience: string): boolean {
  return claim === audience || (Array.isArray(claim) && claim.includes(audience))
}
