import { createNodeCryptoProvider } from '../crypto/node.ts'
import { browserPage } from './browser-page.ts'
import type { GuardVariant } from './variant.ts'

/** The guard on Node, with native HMAC, and with a page for browsers that come without a credential. */
export const variant: GuardVariant = { createProvider: createNodeCryptoProvider, hooks: [browserPage()] }
