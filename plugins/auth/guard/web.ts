import { createWebCryptoProvider } from '../crypto/web.ts'
import type { GuardVariant } from './variant.ts'

/** The guard on every platform with WebCrypto. */
export const variant: GuardVariant = { createProvider: createWebCryptoProvider, hooks: [] }
