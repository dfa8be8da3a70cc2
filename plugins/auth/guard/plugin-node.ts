import type { Plugin } from '../../../core/plugin.ts'
import { createNodeCryptoProvider } from '../crypto/node.ts'
import { browserPage } from './browser-page.ts'
import { createGuardPlugin } from './plugin.ts'

/** The guard on Node, with native HMAC, and with a page for browsers that come without a credential. */
export const plugin: Plugin = createGuardPlugin(createNodeCryptoProvider, [browserPage()])
