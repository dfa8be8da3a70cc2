/** The interfaces that authentication offers to other plugins, and its features to each other. */

import type { Identity } from '../../core/http/identity.ts'
import type { SvcRequest } from '../../core/http/request.ts'
import type { Awaitable } from '../../core/kernel/values.ts'
import type { KeyService } from './api-keys/managing/api.ts'
import type { KeyRecord, KeyStore } from './api-keys/store/key-store.ts'
import type { CryptoProvider } from './crypto/provider.ts'
import type { JwksCache } from './jwks/jwks-cache.ts'
import type { CompactJws } from './token/compact-jws.ts'

export type {
  AllKeys,
  KeyBounds,
  KeyDraft,
  KeyEnding,
  KeyOwner,
  KeyOwners,
  KeyPlace,
  KeyRecord,
  KeyStore,
} from './api-keys/store/key-store.ts'
export type {
  Issue,
  Revocation,
  RevocationBounds,
  RevocationDraft,
  RevocationMarks,
  RevocationStore,
  RevokedUsers,
  Subject,
  UserRevocations,
} from './revocations/types.ts'

/** Reports revoked credentials, so that streams that were opened with them can be closed. */
export interface Revocations {
  /**
   * Calls `listener` with the `credential.id` of each revoked credential, and with the `credential.signedBy` of all
   * credentials of a secret that was removed. Returns a function that ends the calls.
   */
  onRevoked(listener: (credentialId: string) => void): () => void
  /** Whether a caller that was verified before is revoked by now, together with its user or its token. */
  isRevoked(caller: Identity): boolean
  /** Calls `listener` whenever an answer of `isRevoked` may have changed. Returns a function that ends the calls. */
  onChanged(listener: () => void): () => void
}

/** A scope that lets a caller name other users of its own tenant. */
export type ReservedScope = 'svc:act' | 'svc:runs:read' | 'svc:runs:write' | 'svc:keys:manage' | 'svc:users:revoke'

/**
 * Which callers may name other users of their tenant. A feature without this capability treats delegation as off: every
 * parameter that names another user is then 403 `forbidden`.
 */
export interface Delegation {
  /** The setting `security.delegation`. */
  readonly enabled: boolean
  /** Whether a caller has a reserved scope; false for every caller while delegation is off. */
  has(caller: Identity, scope: ReservedScope): boolean
  /** @throws SvcError `forbidden` if the caller does not have the scope */
  demand(caller: Identity, scope: ReservedScope): void
  /**
   * Reads the id of a user that a caller names: 1 to 256 bytes of UTF-8, without control characters, not `*`.
   * @throws SvcError `malformed_request` that names `member`
   */
  userId(value: unknown, member: string): string
  /**
   * The user whose resources a request names by `?user=`; the caller's own id needs no scope. Undefined without the
   * parameter.
   * @throws SvcError `malformed_request` for a parameter that is no user id or is repeated, `forbidden` without the
   * scope
   */
  userOf(request: SvcRequest, scope: ReservedScope): string | undefined
  /**
   * The acting key of a caller: what such a key opens for all users it acts for, and for its own, is limited together.
   * Null if the caller comes from no key that may act.
   */
  actingKey(caller: Identity): string | null
  /** Of what a tenant may have, the share that one acting key may: `security.acting_key_share`. */
  readonly actingKeyShare: number
  /**
   * Logs that a caller did something to a user of its tenant, as one record of `svc::auth` that no filter drops:
   * `actor`, or `owner` for the owner of the machine, then `fields`, which must not contain a secret.
   */
  record(by: Identity, message: string, fields: ActFields): void
}

/** What a record of an act says. */
export interface ActFields {
  readonly tenant: string
  /** The user to whom something was done. */
  readonly user: string
  readonly [field: string]: unknown
}

/** The result of verifying a credential. */
export interface Verdict {
  readonly identity: Identity
  /** Unix milliseconds at which the credential expires. */
  readonly keepUntilMs: number
  /** How long the verdict may be cached, in milliseconds on the monotonic clock. */
  readonly keepForMs: number
  /**
   * Called at every use of a cached verdict that depends on more than the credential. Throws or rejects when the
   * verdict is not valid any more.
   */
  readonly recheck: (() => Awaitable<void>) | null
}

/** Verifies one kind of bearer token. Throws or rejects with an `SvcError` of status 401. */
export type TokenVerifier = (jws: CompactJws) => Awaitable<Verdict>

/** The interface of the guard for features that verify a kind of credential. */
export interface Authentication {
  /** Whether a request without a valid credential is refused. */
  readonly required: boolean
  /**
   * Returns the crypto provider of the process. It is available after the guard has started.
   * @throws SvcError `crypto_provider_conflict`
   */
  crypto(): CryptoProvider
  /** Registers the verifier of tokens whose header has this `typ`; undefined stands for all other tokens. */
  onToken(typ: string | undefined, verifier: TokenVerifier): void
  /** Registers the verifier of `X-API-Key`. */
  onKey(verifier: (key: string, request: SvcRequest) => Awaitable<Identity>): void
  /** Drops all cached verdicts, because keys or settings changed. */
  forgetVerdicts(): void
  /** Notifies listeners that a credential was revoked, or, with the id of a secret, all that it signed. */
  announceRevoked(id: string): void
  /** Gives the answer of `Revocations.isRevoked` for an identity. Without it an identity is never revoked. */
  watch(identity: Identity, isRevoked: () => boolean): void
  /** Drops all cached verdicts and notifies listeners that watched identities may be revoked. */
  announceChange(): void
  /**
   * Calls `check` before each use of a bearer token, cached or not. It throws if no token can be accepted at the
   * moment.
   */
  onTokenUse(check: () => void): void
}

/** API keys, for features that build on them. */
export interface ApiKeys {
  /**
   * Verifies the key of a request and returns its record.
   * @throws SvcError `api_key_invalid`, `rate_limited`, `overloaded`
   */
  verify(key: string, request: SvcRequest): Awaitable<KeyRecord>
  /** Reads the record of a key from the store; null if the key is revoked, expired or unknown. */
  live(id: string): Awaitable<KeyRecord | null>
  /** Creates, lists and revokes the keys of any owner, as the routes of API keys do. */
  readonly service: KeyService
  /** Their store. A key whose owner or maker is revoked is revoked in what the store returns. */
  readonly store: KeyStore
}

/** The keys of the configured JWKS. */
export interface JwksKeys {
  /** Null without a configured URL or issuer, and another one after a change of them. */
  readonly cache: JwksCache | null
  /** The `iss` that tokens must have; undefined unless an issuer is configured. */
  readonly issuer: string | undefined
}

/** A secret that signs exchange tokens. */
export interface ExchangeSecret {
  /** The `kid` in the header of a token. */
  readonly kid: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The secrets of exchange tokens that several processes share. */
export interface ExchangeSecrets {
  /** The first one signs, all of them verify. */
  current(): readonly [ExchangeSecret, ...ExchangeSecret[]]
  /** Calls `run` when the secrets have changed. */
  onChange(run: () => void): void
}

/** A token that a command asks for. */
export interface TokenRequest {
  readonly sub: string
  /** The tenant `default` where absent. */
  readonly tenant?: string | undefined
  /** Scopes, separated by blanks. */
  readonly scope?: string | undefined
  readonly ttlSeconds: number
}

/** Makes tokens for commands, with the secret of the settings. */
export interface TokenMint {
  /** Why the service of these settings would refuse each token that is made here; undefined if it would not. */
  refusal():
    | {
        readonly code: 'issuer_elsewhere' | 'secret_unusable'
        readonly message: string
        readonly hint?: string | undefined
      }
    | undefined
  /** A bearer token. Rejects if there is no secret. */
  mint(request: TokenRequest): Promise<string>
}

/** The runs of users, for the owner of the machine. */
export interface UserRuns {
  /** The runs of a user in every tenant. */
  page(
    owners: { readonly user_id: string },
    query: object,
  ): Awaitable<{ readonly runs: readonly { readonly owner: { readonly tenant_id: string | null } }[] }>
  /**
   * Ends and removes the runs of a user; returns how many there were.
   * @throws SvcError `overloaded`; what is left then is removed by another call
   */
  erase(owner: { readonly tenant_id: string; readonly user_id: string }): Awaitable<number>
}
