import { isObject } from '../../../core/kernel/values.ts'
import type { Issue } from '../api.ts'
import { refuse } from '../errors.ts'
import { type JsonObject, ownMember, parseJsonObject } from './json-object.ts'

/** Requirements on the claims of a verified token. */
export interface ClaimPolicy {
  readonly issuer: string | undefined
  readonly audience: string | undefined
  readonly validateNbf: boolean
  readonly leewaySeconds: number
  /** Names of the claims that may contain the tenant. The first claim that is present is used. */
  readonly tenantClaims: readonly string[]
  /** Whether callers may name other users of their tenant: then no user is called `*`. */
  readonly delegation?: boolean
  /** Called for a token that is refused because of its `iss` or `aud`, with the configured and the received value. */
  readonly onMismatch?: (claim: 'iss' | 'aud', expected: string, received: unknown) => void
}

/** The caller that a verified token describes. */
export interface TokenSubject {
  readonly user: string
  readonly tenant: string
  readonly scopes: readonly string[]
  /** The user who acts for `user`; absent in a token without `act`. */
  readonly actor?: string
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
  const exp = readDate(claims, 'exp')
  if (exp === undefined) throw invalid('exp', 'missing')
  readDate(claims, 'iat')
  const nbf = policy.validateNbf ? readDate(claims, 'nbf') : undefined

  const expiresAtMs = exp * 1000 + leewayMs
  if (nowMs >= expiresAtMs) throw expired(exp, nowMs)
  if (nbf !== undefined && nowMs + leewayMs < nbf * 1000) throw notYetValid(nbf, nowMs)
  const { issuer, audience, onMismatch } = policy
  const iss = ownMember(claims, 'iss')
  if (issuer !== undefined && iss !== issuer) {
    onMismatch?.('iss', issuer, iss)
    throw refuse('token_issuer_mismatch')
  }
  const aud = ownMember(claims, 'aud')
  if (audience !== undefined && !hasAudience(aud, audience)) {
    onMismatch?.('aud', audience, aud)
    throw refuse('token_audience_mismatch')
  }
  return expiresAtMs
}

function invalid(claim: string, problem: string): Error {
  return refuse('token_claims_invalid', { message: `the ${claim} claim is ${problem}` })
}

/**
 * The message gives the least difference between the clocks of the issuer and of this service, and which clock may be
 * wrong. It contains the whole text, because a client does not see the hint.
 */
function expired(exp: number, nowMs: number): Error {
  const seconds = Math.floor(nowMs / 1000 - exp)
  return refuse('token_expired', {
    message: `The token expired ${seconds} s ago. If it was issued just now, the clock of the issuer is behind, or ours ahead.`,
  })
}

function notYetValid(nbf: number, nowMs: number): Error {
  const seconds = Math.ceil(nbf - nowMs / 1000)
  return refuse('token_not_yet_valid', {
    message: `The token becomes valid in ${seconds} s. If it was issued just now, the clock of the issuer is ahead, or ours behind.`,
  })
}

/**
 * Reads the caller from claims that passed `checkRegisteredClaims`.
 * @throws SvcError `token_claims_invalid` if `sub`, a tenant claim, the scopes or `act` have the wrong type
 */
export function readSubject(claims: JsonObject, policy: ClaimPolicy): TokenSubject {
  const user = ownMember(claims, 'sub')
  if (typeof user !== 'string' || user === '') throw invalid('sub', 'missing or not a name')
  // A caller with this user could not be told from `?user=*`, which stands for all users of the tenant.
  if (user === '*' && policy.delegation) throw invalid('sub', '"*", which names no user')
  const actor = readActor(claims)
  return {
    user,
    tenant: readTenant(claims, policy.tenantClaims),
    scopes: readScopes(claims),
    ...(actor !== undefined && { actor }),
  }
}

/** Reads what a token says of its issue, from claims that passed `checkRegisteredClaims`. */
export function readIssue(claims: JsonObject, { leewaySeconds }: ClaimPolicy): Issue {
  const jti = ownMember(claims, 'jti')
  return { iat: readDate(claims, 'iat'), jti: typeof jti === 'string' ? jti : undefined, leewaySeconds }
}

/** Reads the outermost actor of a token (RFC 8693 section 4.1); actors before it are within it and do not count. */
function readActor(claims: JsonObject): string | undefined {
  const act = ownMember(claims, 'act')
  if (act === undefined) return undefined
  const actor = isObject(act) ? ownMember(act, 'sub') : undefined
  if (typeof actor === 'string' && actor !== '') return actor
  throw invalid('act', 'not an object with the name of a user as its sub')
}

function readTenant(claims: JsonObject, names: readonly string[]): string {
  for (const name of names) {
    const tenant = ownValue(claims, name)
    if (tenant === undefined) continue
    if (typeof tenant === 'string' && tenant !== '') return tenant
    // Falling back to the default tenant would let a broken claim cross a tenant boundary.
    throw invalid(name, 'not a name')
  }
  return DEFAULT_TENANT
}

/** The scopes of `scope`, or else of `scp`. Providers write each of them as a text or as a list. */
function readScopes(claims: JsonObject): readonly string[] {
  for (const name of ['scope', 'scp']) {
    const scopes = ownValue(claims, name)
    if (scopes === undefined) continue
    if (typeof scopes === 'string') return splitScope(scopes)
    if (Array.isArray(scopes) && scopes.every((one) => typeof one === 'string')) return splitScope(scopes.join(' '))
    throw invalid(name, 'neither a text nor a list of texts')
  }
  return []
}

/** The value of a claim. A `null` counts as absent, because providers write it for a user without the attribute. */
function ownValue(claims: JsonObject, name: string): unknown {
  return ownMember(claims, name) ?? undefined
}

/** Splits a space-separated list of scopes (RFC 6749 section 3.3) and removes duplicates. */
export function splitScope(text: string): string[] {
  return [...new Set(text.split(' ').filter((scope) => scope !== ''))]
}

/** Reads a NumericDate (RFC 7519 section 2), in seconds since 1970. */
function readDate(claims: JsonObject, name: string): number | undefined {
  const date = ownMember(claims, name)
  if (date === undefined || (typeof date === 'number' && Number.isFinite(date))) return date
  throw invalid(name, 'not a number')
}

function hasAudience(claim: unknown, audience: string): boolean {
  return claim === audience || (Array.isArray(claim) && claim.includes(audience))
}
