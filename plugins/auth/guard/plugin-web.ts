import type { Plugin } from '../../../core/plugin.ts'
import { createWebCryptoProvider } from '../crypto/web.ts'
import { createGuardPlugin } from './plugin.ts'

/** The guard wherever WebCrypto is. */
export const plugin: Plugin = createGuardPlugin(createWebCryptoProvider)
