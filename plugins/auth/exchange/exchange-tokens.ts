import type { Identity } from '../../../core/http/identity.ts'
import { encodeBase64url } from '../../../core/kernel/base64url.ts'
import type { Awaitable } from '../../../core/kernel/values.ts'
import type {
  ApiKeys,
  Authentication,
  Delegation,
  RevocationMarks,
  RevokedUsers,
  Subject,
  TokenVerifier,
} from '../api.ts'
import { toKeyIdentity } from '../api-keys/key-identity.ts'
import { type KeyRecord, subjectOf } from '../api-keys/store/key-store.ts'
import { issueOf } from '../api-keys/store/revoked-keys.ts'
import { keyCredentialId, makeTokenId } from '../credential-ids.ts'
import type { HmacKey } from '../crypto/provider.ts'
import { RESERVED_PREFIX } from '../delegation/reserved-scopes.ts'
import { refuse } from '../errors.ts'
import { type ClaimPolicy, checkRegisteredClaims, parseClaims, splitScope } from '../token/claims.ts'
import { type JsonObject, ownMember } from '../token/json-object.ts'
import { mintToken } from '../token/mint.ts'

/** `typ` of exchange tokens. No other issuer uses it, and no other verifier accepts it. */
export const EXCHANGE_TYPE = 'svc-exchange+jwt'

/** An imported secret and the `kid`s that select it. */
export interface ExchangeKey {
  readonly kid: string
  /** Names the secret in the credentials of its tokens. */
  readonly id: string
  /**
   * The `kid` of tokens that are not for the key's own user with all its scopes. A node of an earlier version shares
   * the secret, gives every token the identity of its key, and refuses this `kid`.
   */
  readonly narrowKid: string
  readonly key: HmacKey
}

/** Claim with the id of the API key that was exchanged. */
const KEY_CLAIM = 'svc_key'

/**
 * Claim with the numbers of the last revocations of the user and of the actor, as far as the issuing node had applied
 * them.
 */
const MARKS_CLAIM = 'svc_rev'

const TOKEN_ID_BYTES = 16

/** Dependencies and settings of issuing and verifying exchange tokens. */
export interface ExchangeOptions {
  readonly keys: ApiKeys
  readonly delegation: Delegation
  /** Undefined in a build where no user can be revoked. */
  readonly revoked: RevokedUsers | undefined
  readonly watch: Authentication['watch']
  /** The first secret signs, all of them verify. */
  readonly secrets: () => readonly [ExchangeKey, ...ExchangeKey[]]
  readonly policy: ClaimPolicy
  readonly lifeSeconds: number
  /** Unix milliseconds. */
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
}

/** What a token is to be for. */
export interface TokenWish {
  /** The user for whom the owner of the key acts; the owner itself if undefined. */
  readonly subject: string | undefined
  readonly scopes: readonly string[] | undefined
  /** Seconds. */
  readonly expiresIn: number | undefined
}

/** A token, its life and its scopes. */
export interface ExchangedToken {
  readonly token: string
  /** Seconds from now. */
  readonly expiresIn: number
  readonly scopes: readonly string[]
}

/**
 * Issues a token for the API key of `record`, which was valid when `marks` were read. The token expires no later than
 * the key, and has no scope that the key lacks.
 */
export async function issueExchangeToken(
  record: KeyRecord,
  wish: TokenWish,
  marks: RevocationMarks,
  options: ExchangeOptions,
): Promise<ExchangedToken> {
  const { policy } = options
  const { subject } = wish
  const issuedAt = Math.floor(options.now() / 1000)
  const life = Math.min(wish.expiresIn ?? Infinity, options.lifeSeconds)
  const exp = Math.min(issuedAt + life, Math.floor(record.expiresAtMs / 1000))
  const scopes = limitScopes(wish.scopes ?? (subject === undefined ? record.scopes : []), record, subject !== undefined)
  const claims = {
    // Exchange tokens must pass the same claim policy as other tokens.
    ...(policy.issuer === undefined ? {} : { iss: policy.issuer }),
    ...(policy.audience === undefined ? {} : { aud: policy.audience }),
    sub: subject ?? record.owner.user,
    tenant_id: record.owner.tenant,
    scope: scopes.join(' '),
    iat: issuedAt,
    exp,
    jti: makeTokenId(exp, encodeBase64url(options.random(TOKEN_ID_BYTES))),
    ...(subject !== undefined && { act: { sub: record.owner.user } }),
    [KEY_CLAIM]: record.id,
    [MARKS_CLAIM]: marks,
  }
  const { kid, narrowKid, key } = options.secrets()[0]
  const isWhole = subject === undefined && scopes.length === record.scopes.length
  const token = await mintToken(key, { typ: EXCHANGE_TYPE, kid: isWhole ? kid : narrowKid }, claims)
  return { token, expiresIn: Math.max(0, exp - issuedAt), scopes }
}

/** The user of a token and who acts for it: the owner of the key, or the maker of the key. */
export function subjectOfToken(record: KeyRecord, subject: string | undefined): Subject {
  const { tenant, user } = record.owner
  return subject === undefined ? subjectOf(record) : { tenant, user: subject, actor: user }
}

/** Those of `scopes` that the key has, and for another user none of the reserved ones. */
function limitScopes(scopes: readonly string[], record: KeyRecord, forAnother: boolean): readonly string[] {
  return scopes.filter((scope) => record.scopes.includes(scope) && !(forAnother && scope.startsWith(RESERVED_PREFIX)))
}

/** What a verified token says beside its registered claims. */
interface ExchangeClaims {
  readonly keyId: string
  /** Undefined in a token for the owner of the key. */
  readonly subject: string | undefined
  /** Undefined in a token of an earlier version, which has all scopes of its key. */
  readonly scopes: readonly string[] | undefined
  readonly marks: RevocationMarks
  readonly jti: string | undefined
}

/**
 * Creates the verifier of exchange tokens. Every use of a token reads the record of its key, so a revoked key ends its
 * tokens.
 */
export function createExchangeVerifier(options: ExchangeOptions): TokenVerifier {
  const { delegation, revoked } = options
  return async (jws) => {
    if (jws.header.alg !== 'HS256') throw refuse('token_algorithm_rejected')
    const { kid } = jws.header
    const secret = options.secrets().find((one) => one.kid === kid || one.narrowKid === kid)
    if (secret === undefined || !(await secret.key.verify(jws))) throw refuse('token_signature_invalid')
    const payload = parseClaims(jws.payload)
    const expiresAtMs = checkRegisteredClaims(payload, options.policy, options.now())
    const claims = readExchangeClaims(payload)
    const { keyId, subject } = claims
    const requireLive = (record: KeyRecord | null): KeyRecord => {
      if (record === null)
        throw refuse('api_key_invalid', { message: 'The API key behind the token is not valid any more.' })
      if (subject !== undefined && !delegation.has(toKeyIdentity(record), 'svc:act'))
        throw refuse('token_claims_invalid', { message: 'the API key behind the token may act for nobody' })
      if (isRevoked(record)) throw refuse('token_revoked')
      return record
    }
    const isRevoked = (record: KeyRecord): boolean =>
      revoked?.isRevoked(subjectOfToken(record, subject), { marks: claims.marks, jti: claims.jti }) ?? false
    const record = requireLive(await options.keys.live(keyId))
    const identity = toIdentity(record, claims, expiresAtMs, secret.id)
    options.watch(
      identity,
      () => isRevoked(record) || (revoked?.isRevoked(subjectOf(record), issueOf(record)) ?? false),
    )
    const recheck = (): Awaitable<void> => {
      const current = options.keys.live(keyId)
      if (current instanceof Promise) return current.then((key) => void requireLive(key))
      requireLive(current)
    }
    return { identity, keepUntilMs: expiresAtMs, keepForMs: Infinity, recheck }
  }
}

function toIdentity(
  record: KeyRecord,
  { keyId, subject, scopes }: ExchangeClaims,
  expiresAtMs: number,
  signedBy: string,
): Identity {
  return Object.freeze({
    kind: 'user',
    ...subjectOfToken(record, subject),
    scopes: scopes === undefined ? record.scopes : Object.freeze(limitScopes(scopes, record, subject !== undefined)),
    credential: Object.freeze({
      id: keyCredentialId(keyId),
      keyId,
      get expiresAtMs() {
        return Math.min(expiresAtMs, record.expiresAtMs)
      },
      signedBy,
    }),
  })
}

/** The claims are trusted, because this service has signed them. */
function readExchangeClaims(claims: JsonObject): ExchangeClaims {
  const [scope, marks, jti] = [ownMember(claims, 'scope'), ownMember(claims, MARKS_CLAIM), ownMember(claims, 'jti')]
  return {
    keyId: String(ownMember(claims, KEY_CLAIM)),
    subject: ownMember(claims, 'act') === undefined ? undefined : String(ownMember(claims, 'sub')),
    scopes: typeof scope === 'string' && marks !== undefined ? splitScope(scope) : undefined,
    marks: Array.isArray(marks) ? [Number(marks[0]), Number(marks[1])] : [0, 0],
    jti: typeof jti === 'string' ? jti : undefined,
  }
}
