/** The capabilities that the authentication features provide. */

import type { ApiKeys, Authentication, ExchangeSecret, JwksKeys, Revocations, TokenMint } from './api.ts'
import type { KeyStore } from './api-keys/store/key-store.ts'
import type { ClaimPolicy } from './token/claims.ts'

/** The capabilities of the authentication features. */
export interface AuthCapabilities {
  Revocations: Revocations
  Authentication: Authentication
  ApiKeys: ApiKeys
  JwksKeys: JwksKeys
  /** Requirements on the claims of tokens. */
  ClaimPolicy: ClaimPolicy
  /** The store of API keys. Without a plugin that provides one, keys are kept in memory. */
  KeyStore: KeyStore
  /**
   * The secrets of exchange tokens that several processes share: the first one signs, all of them verify. Without this
   * capability a process creates its own secret, and its tokens end with the process.
   */
  ExchangeSecrets: readonly [ExchangeSecret, ...ExchangeSecret[]]
}

declare module '../../core/plugin.ts' {
  interface Capabilities extends AuthCapabilities {}
  interface CommandCapabilities {
    /** Makes bearer tokens for the service of the settings. */
    TokenMint: TokenMint
  }
}
