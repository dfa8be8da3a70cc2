/** What the TLS transport gives to other plugins at run time. */
import type { SecureServer } from './api.ts'

/** The capabilities of the TLS transport. */
export interface TlsCapabilities {
  SecureServer: SecureServer
}

declare module '../../../core/plugin.ts' {
  interface Capabilities extends TlsCapabilities {}
}
