import type { Awaitable } from '../../../core/awaitable.ts'
import type { Identity } from '../../../core/identity.ts'
import type { ApiKeys, TokenVerifier } from '../api.ts'
import { keyCredentialId } from '../api-keys/key-identity.ts'
import type { KeyRecord } from '../api-keys/store/key-store.ts'
import type { HmacKey } from '../crypto/provider.ts'
import { refuse } from '../errors.ts'
import { type ClaimPolicy, checkRegisteredClaims, parseClaims } from '../token/claims.ts'
import { own } from '../token/json-object.ts'
import { mintToken } from '../token/mint.ts'

/** `typ` of exchange tokens. No other issuer uses it, and no other verifier accepts it. */
export const EXCHANGE_TYPE = 'svc-exchange+jwt'

/** An imported secret and the `kid` that selects it. */
export interface ExchangeKey {
  readonly kid: string
  readonly key: HmacKey
}

/** Claim with the id of the API key that was exchanged. */
const KEY_CLAIM = 'svc_key'

/** Dependencies and settings of issuing and verifying exchange tokens. */
export interface ExchangeOptions {
  readonly keys: ApiKeys
  /** The first secret signs, all of them verify. */
  readonly secrets: () => readonly [ExchangeKey, ...ExchangeKey[]]
  readonly policy: ClaimPolicy
  readonly lifeSeconds: number
  /** Unix milliseconds. */
  readonly now: () => number
}

/** A token and its life. */
export interface ExchangedToken {
  readonly token: string
  /** Seconds from now. */
  readonly expiresIn: number
}

/** Issues a token for the API key of `record`. The token expires no later than the key. */
export async function issueExchangeToken(record: KeyRecord, options: ExchangeOptions): Promise<ExchangedToken> {
  const { policy } = options
  const issuedAt = Math.floor(options.now() / 1000)
  const exp = Math.min(issuedAt + options.lifeSeconds, Math.floor(record.expiresAtMs / 1000))
  const claims = {
    // Exchange tokens must pass the same claim policy as other tokens.
    ...(policy.issuer === undefined ? {} : { iss: policy.issuer }),
    ...(policy.audience === undefined ? {} : { aud: policy.audience }),
    sub: record.owner.user,
    tenant_id: record.owner.tenant,
    scope: record.scopes.join(' '),
    iat: issuedAt,
    exp,
    [KEY_CLAIM]: record.id,
  }
  const { kid, key } = options.secrets()[0]
  const token = await mintToken(key, { typ: EXCHANGE_TYPE, kid }, claims)
  return { token, expiresIn: Math.max(0, exp - issuedAt) }
}

/** Creates the verifier of exchange tokens. Every use of a token reads the record of its key, so a revoked key ends its tokens. */
export function createExchangeVerifier(options: ExchangeOptions): TokenVerifier {
  return async (jws) => {
    if (jws.header.alg !== 'HS256') throw refuse('token_algorithm_rejected')
    const secret = options.secrets().find(({ kid }) => kid === jws.header.kid)
    if (!(await secret?.key.verify(jws))) throw refuse('token_signature_invalid')
    const claims = parseClaims(jws.payload)
    const expiresAtMs = checkRegisteredClaims(claims, options.policy, options.now())
    const id = String(own(claims, KEY_CLAIM))
    const requireLive = (record: KeyRecord | null): KeyRecord => {
      if (record === null)
        throw refuse('api_key_invalid', { message: 'The API key behind the token is not valid any more.' })
      return record
    }
    const record = requireLive(await options.keys.live(id))
    const identity: Identity = Object.freeze({
      kind: 'user',
      user: record.owner.user,
      tenant: record.owner.tenant,
      scopes: record.scopes,
      credential: Object.freeze({ id: keyCredentialId(id), expiresAtMs: Math.min(expiresAtMs, record.expiresAtMs) }),
    })
    const recheck = (): Awaitable<void> => {
      const current = options.keys.live(id)
      if (current instanceof Promise) return current.then((found) => void requireLive(found))
      requireLive(current)
    }
    return { identity, keepUntilMs: expiresAtMs, keepForMs: Infinity, recheck }
  }
}
