import type { Hook } from '../../../core/http/hooks.ts'
import type { CryptoProvider } from '../crypto/provider.ts'

/** What the variants of the guard differ in. */
export interface GuardVariant {
  readonly createProvider: () => CryptoProvider
  /** Hooks that change its refusals. */
  readonly hooks: readonly Hook[]
}
