import type { Plugin } from '../../../core/plugin.ts'
import { createNodeCryptoProvider } from '../crypto/node.ts'
import { createGuardPlugin } from './plugin.ts'

/** The guard on Node, with native HMAC. */
export const plugin: Plugin = createGuardPlugin(createNodeCryptoProvider)
