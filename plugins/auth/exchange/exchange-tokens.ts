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

/** Header of the tokens made here: no other issuer's token has this type, and no other verifier takes it. */
export const EXCHANGE_TYPE = 'svc-exchange+jwt'

/** A secret ready for use, and what names it in the head of a token. */
export interface ExchangeKey {
  readonly kid: string
  readonly key: HmacKey
}

/** Claim with the id of the API key that a token stands for. */
const KEY_CLAIM = 'svc_key'

/** What makes and reads exchange tokens. */
export interface ExchangeOptions {
  readonly keys: ApiKeys
  /** The first signs, all of them verify. */
  readonly secrets: () => readonly ExchangeKey[]
  readonly policy: ClaimPolicy
  readonly lifeSeconds: number
  /** Unix milliseconds. */
  readonly now: () => number
}

/** A token made for a key. */
export interface ExchangedToken {
  readonly token: string
  /** Seconds from now. */
  readonly expiresIn: number
}

/** Makes the token that stands for the API key of `record`, and lives no longer than it. */
export async function issueExchangeToken(record: KeyRecord, options: ExchangeOptions): Promise<ExchangedToken> {
  const { policy } = options
  const issuedAt = Math.floor(options.now() / 1000)
  const exp = Math.min(issuedAt + options.lifeSeconds, Math.floor(record.expiresAtMs / 1000))
  const claims = {
    // Whatever is configured for the tokens of others holds for ours too.
    ...(policy.issuer === undefined ? {} : { iss: policy.issuer }),
    ...(policy.audience === undefined ? {} : { aud: policy.audience }),
    sub: record.owner.user,
    tenant_id: record.owner.tenant,
    scope: record.scopes.join(' '),
    iat: issuedAt,
    exp,
    [KEY_CLAIM]: record.id,
  }
  const { kid, key } = options.secrets()[0]!
  const token = await mintToken(key, { typ: EXCHANGE_TYPE, kid }, claims)
  return { token, expiresIn: Math.max(0, exp - issuedAt) }
}

/** Verifies the tokens made here; the record of the key behind a token is read again at every use. */
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
