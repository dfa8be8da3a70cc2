import type { Identity } from '../../../core/identity.ts'
import type { TokenVerifier, Verdict } from '../api.ts'
import type { HmacKey } from '../crypto/provider.ts'
import { refuse } from '../errors.ts'
import type { JwksCache } from '../jwks/jwks-cache.ts'
import { type ClaimPolicy, checkRegisteredClaims, parseClaims, readSubject } from '../token/claims.ts'
import type { CompactJws } from '../token/compact-jws.ts'

/** Credential id of all tokens. A token cannot be revoked, so it needs no id of its own. */
const TOKEN_CREDENTIAL = 'token'

/** Creates the verifier for the shared secret (HS256). Without a configured secret `key` returns null and no token is valid. */
export function createSecretVerifier(key: () => HmacKey | null, policy: ClaimPolicy, now: () => number): TokenVerifier {
  const finish = (jws: CompactJws, verified: boolean): Verdict => conclude(jws, verified, policy, now(), Infinity)
  return (jws) => {
    if (jws.header.alg !== 'HS256') throw refuse('token_algorithm_rejected')
    const verified = key()?.verify(jws) ?? false
    return verified instanceof Promise ? verified.then((result) => finish(jws, result)) : finish(jws, verified)
  }
}

/** Creates the verifier for the keys of a JWKS (RS256). A token must name its key by `kid`. */
export function createJwksVerifier(
  cache: Pick<JwksCache, 'find'>,
  policy: ClaimPolicy,
  now: () => number,
): TokenVerifier {
  return async (jws) => {
    const { alg, kid } = jws.header
    if (alg !== 'RS256') throw refuse('token_algorithm_rejected')
    if (kid === undefined || kid === '') throw refuse('jwks_key_unknown')
    const found = cache.find(kid)
    const { key, keepForMs } = found instanceof Promise ? await found : found
    return conclude(jws, await key.verify(jws), policy, now(), keepForMs)
  }
}

function conclude(jws: CompactJws, verified: boolean, policy: ClaimPolicy, nowMs: number, keepForMs: number): Verdict {
  if (!verified) throw refuse('token_signature_invalid')
  const claims = parseClaims(jws.payload)
  const expiresAtMs = checkRegisteredClaims(claims, policy, nowMs)
  const { user, tenant, scopes } = readSubject(claims, policy)
  const identity: Identity = Object.freeze({
    kind: 'user',
    user,
    tenant,
    scopes: Object.freeze(scopes),
    credential: Object.freeze({ id: TOKEN_CREDENTIAL, expiresAtMs }),
  })
  return { identity, keepUntilMs: expiresAtMs, keepForMs, recheck: null }
}
