/** The interfaces that authentication offers to other plugins, and its features to each other. */
import type { Awaitable } from '../../core/awaitable.ts'
import type { SvcRequest } from '../../core/http/request.ts'
import type { Identity } from '../../core/identity.ts'
import type { KeyRecord } from './api-keys/store/key-store.ts'
import type { CryptoProvider } from './crypto/provider.ts'
import type { JwksCache } from './jwks/jwks-cache.ts'
import type { CompactJws } from './token/compact-jws.ts'

export type { KeyBounds, KeyDraft, KeyOwner, KeyRecord, KeyStore } from './api-keys/store/key-store.ts'

/** Reports revoked credentials, so that streams that were opened with them can be closed. */
export interface Revocations {
  /** Calls `listener` with the `credential.id` of each revoked credential. Returns a function that ends the calls. */
  onRevoked(listener: (credentialId: string) => void): () => void
}

/** The result of verifying a credential. */
export interface Verdict {
  readonly identity: Identity
  /** Unix milliseconds at which the credential expires. */
  readonly keepUntilMs: number
  /** How long the verdict may be cached, in milliseconds on the monotonic clock. */
  readonly keepForMs: number
  /**
   * Called at every use of a cached verdict that depends on more than the credential. Throws or rejects when the verdict is
   * not valid any more.
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
  /** Notifies listeners that a credential was revoked. */
  announceRevoked(credentialId: string): void
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
}

/** The keys of the configured JWKS; `cache` is null without a configured URL, and another one after a change of the URL. */
export interface JwksKeys {
  readonly cache: JwksCache | null
}

/** A secret that signs exchange tokens. */
export interface ExchangeSecret {
  /** The `kid` in the header of a token. */
  readonly kid: string
  readonly bytes: Uint8Array<ArrayBuffer>
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
