import type { Plugin } from '../../../core/plugin.ts'
import { createWebCryptoProvider } from '../crypto/web.ts'
import { createGuardPlugin } from './plugin.ts'

/** The guard on every platform with WebCrypto. */
export const plugin: Plugin = createGuardPlugin(createWebCryptoProvider)
