/** The capabilities that the authentication features provide. */

import type {
  ApiKeys,
  Authentication,
  Delegation,
  ExchangeSecrets,
  JwksKeys,
  RevocationStore,
  Revocations,
  RevokedUsers,
  TokenMint,
  UserRevocations,
  UserRuns,
} from './api.ts'
import type { KeyStore } from './api-keys/store/key-store.ts'
import type { ClaimPolicy } from './token/claims.ts'

/** The capabilities of the authentication features. */
export interface AuthCapabilities {
  Revocations: Revocations
  Authentication: Authentication
  /** Which callers may name other users of their tenant. */
  Delegation: Delegation
  /** The users whose credentials were revoked. Without it only API keys can be revoked. */
  RevokedUsers: RevokedUsers
  /** Revokes users and lifts revocations. */
  UserRevocations: UserRevocations
  /** The runs of users. Without it there are none. */
  UserRuns: UserRuns
  /** The store of revocations. Without a plugin that provides one, they are kept in memory. */
  RevocationStore: RevocationStore
  ApiKeys: ApiKeys
  JwksKeys: JwksKeys
  /** Requirements on the claims of tokens. */
  ClaimPolicy: ClaimPolicy
  /** The store of API keys. Without a plugin that provides one, keys are kept in memory. */
  KeyStore: KeyStore
  /**
   * The secrets of exchange tokens that several processes share. Without this capability a process creates its own
   * secret, and its tokens end with the process.
   */
  ExchangeSecrets: ExchangeSecrets
}

declare module '../../core/declare/plugin.ts' {
  interface Capabilities extends AuthCapabilities {}
  interface CommandCapabilities {
    /** Makes bearer tokens for the service of the settings. */
    TokenMint: TokenMint
    /**
     * The tenant that the owner of the machine means by a user: the one that has the user, or `default`. Throws
     * `UsageError` if several have it.
     */
    TenantOf: (user: string) => Promise<string>
  }
}
