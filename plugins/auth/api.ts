/** What authentication offers to other plugins, and what its own features offer each other. */
import type { Awaitable } from '../../core/awaitable.ts'
import type { SvcRequest } from '../../core/http/request.ts'
import type { Identity } from '../../core/identity.ts'
import type { KeyRecord } from './api-keys/store/key-store.ts'
import type { CryptoProvider } from './crypto/provider.ts'
import type { JwksCache } from './jwks/jwks-cache.ts'
import type { CompactJws } from './token/compact-jws.ts'

export type { KeyBounds, KeyDraft, KeyOwner, KeyRecord, KeyStore } from './api-keys/store/key-store.ts'

/** Tells of credentials that were revoked while something opened with them may still run. */
export interface Revocations {
  /** Calls `listener` with the `credential.id` of each identity that is no longer valid; gives the way to stop it. */
  onRevoked(listener: (credentialId: string) => void): () => void
}

/** What a verified credential is worth. */
export interface Verdict {
  readonly identity: Identity
  /** Unix milliseconds up to which the credential is good. */
  readonly keepUntilMs: number
  /** How long the verdict may be kept without verifying the credential again, whatever the clock is set to meanwhile. */
  readonly keepForMs: number
  /**
   * Asked at every use of a kept verdict where it depends on more than the credential; throws or rejects once it no
   * longer holds.
   */
  readonly recheck: (() => Awaitable<void>) | null
}

/** Verifies one kind of bearer token. Throws or rejects with an `SvcError` of status 401. */
export type TokenVerifier = (jws: CompactJws) => Awaitable<Verdict>

/** The guard, as the features that know a kind of credential see it. */
export interface Authentication {
  /** Whether a request without a valid credential is refused. */
  readonly required: boolean
  /**
   * The crypto provider of the process; there from the guard's start on.
   * @throws SvcError `crypto_provider_conflict`
   */
  crypto(): CryptoProvider
  /** Takes tokens whose header has this `typ`; undefined takes all that no other verifier takes. */
  onToken(typ: string | undefined, verifier: TokenVerifier): void
  /** Takes the value of `X-API-Key`. */
  onKey(verifier: (key: string, request: SvcRequest) => Awaitable<Identity>): void
  /** Drops every kept verdict: keys or settings changed. */
  forgetVerdicts(): void
  /** Tells listeners that a credential is worth nothing any more. */
  announceRevoked(credentialId: string): void
}

/** API keys, for features that build on them. */
export interface ApiKeys {
  /**
   * The record of a key that was just presented and is valid.
   * @throws SvcError `api_key_invalid`, `rate_limited`, `overloaded`
   */
  verify(key: string, request: SvcRequest): Awaitable<KeyRecord>
  /** The record of a key that is neither revoked nor expired, read from the store at this moment. */
  live(id: string): Awaitable<KeyRecord | null>
}

/** The JWKS in use; `cache` is null where no URL is configured. */
export interface JwksKeys {
  readonly cache: JwksCache | null
}

/** A secret that exchange tokens are signed with. */
export interface ExchangeSecret {
  /** Names it in the head of a token. */
  readonly kid: string
  readonly bytes: Uint8Array<ArrayBuffer>
}
