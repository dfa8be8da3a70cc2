import type { Identity } from '../../../core/http/identity.ts'
import type { Authentication, RevokedUsers, TokenVerifier, Verdict } from '../api.ts'
import { refuse } from '../errors.ts'
import type { JwksCache } from '../jwks/jwks-cache.ts'
import { type ClaimPolicy, checkRegisteredClaims, parseClaims, readIssue, readSubject } from '../token/claims.ts'
import type { CompactJws } from '../token/compact-jws.ts'
import { findSigner, type SecretKey } from './secret-keys.ts'

/** Credential id of all tokens: what is known of the revocation of a token depends on its identity, not on an id. */
const TOKEN_CREDENTIAL = 'token'

/** What verifiers of tokens work with. */
export interface VerifierParts {
  readonly policy: ClaimPolicy
  /** Unix milliseconds. */
  readonly now: () => number
  /** Undefined in a build where no user can be revoked. */
  readonly revoked: RevokedUsers | undefined
  readonly watch: Authentication['watch']
}

/** Creates the verifier for the shared secrets (HS256). Without a secret no token is valid. */
export function createSecretVerifier(keys: () => readonly SecretKey[], parts: VerifierParts): TokenVerifier {
  const finish = (jws: CompactJws, signer: SecretKey | undefined): Verdict =>
    conclude(jws, signer !== undefined, parts, Infinity, signer?.id)
  return (jws) => {
    if (jws.header.alg !== 'HS256') throw refuse('token_algorithm_rejected')
    const signer = findSigner(keys(), jws)
    return signer instanceof Promise ? signer.then((key) => finish(jws, key)) : finish(jws, signer)
  }
}

/** Creates the verifier for the keys of a JWKS (RS256). A token must name its key by `kid`. */
export function createJwksVerifier(cache: Pick<JwksCache, 'find'>, parts: VerifierParts): TokenVerifier {
  return async (jws) => {
    const { alg, kid } = jws.header
    if (alg !== 'RS256') throw refuse('token_algorithm_rejected')
    if (kid === undefined || kid === '') throw refuse('jwks_key_unknown')
    const foundKey = cache.find(kid)
    const { key, keepForMs } = foundKey instanceof Promise ? await foundKey : foundKey
    return conclude(jws, await key.verify(jws), parts, keepForMs)
  }
}

function conclude(
  jws: CompactJws,
  verified: boolean,
  parts: VerifierParts,
  keepForMs: number,
  signedBy?: string,
): Verdict {
  if (!verified) throw refuse('token_signature_invalid')
  const { policy, now, revoked, watch } = parts
  const claims = parseClaims(jws.payload)
  const expiresAtMs = checkRegisteredClaims(claims, policy, now())
  const { scopes, ...subject } = readSubject(claims, policy)
  const identity: Identity = Object.freeze({
    kind: 'user',
    ...subject,
    scopes: Object.freeze(scopes),
    credential: Object.freeze({ id: TOKEN_CREDENTIAL, expiresAtMs, ...(signedBy !== undefined && { signedBy }) }),
  })
  const verdict = { identity, keepUntilMs: expiresAtMs, keepForMs }
  if (revoked === undefined) return { ...verdict, recheck: null }
  const issue = readIssue(claims, policy)
  const check = (): void => {
    if (revoked.isRevoked(subject, issue)) throw refuse('token_revoked')
  }
  check()
  watch(identity, () => revoked.isRevoked(subject, issue))
  // A new revocation drops all cached verdicts. While there is one of this user, the verdict depends on the time too.
  return { ...verdict, recheck: revoked.concerns(subject) ? check : null }
}
