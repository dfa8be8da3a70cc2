/** What the authentication features give to other plugins at run time. */

import type { ApiKeys, Authentication, ExchangeSecret, JwksKeys, Revocations } from './api.ts'
import type { KeyStore } from './api-keys/store/key-store.ts'
import type { ClaimPolicy } from './token/claims.ts'

/** The capabilities of the authentication features. */
export interface AuthCapabilities {
  Revocations: Revocations
  Authentication: Authentication
  ApiKeys: ApiKeys
  JwksKeys: JwksKeys
  /** What tokens must claim. */
  ClaimPolicy: ClaimPolicy
  /** Where API keys are kept; provided by a plugin of the user's own, or they live in memory. */
  KeyStore: KeyStore
  /**
   * The secrets of exchange tokens, where several processes share them: the first one signs, all of them verify. Without,
   * a process draws one of its own, and its tokens end with it.
   */
  ExchangeSecrets: readonly [ExchangeSecret, ...ExchangeSecret[]]
}

declare module '../../core/plugin.ts' {
  interface Capabilities extends AuthCapabilities {}
}
