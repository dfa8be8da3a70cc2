/** What the TLS transport gives to other plugins at run time. */
import type { OwnTls, SecureServer } from './api.ts'

/** The capabilities of the TLS transport. */
export interface TlsCapabilities {
  SecureServer: SecureServer
}

declare module '../../../core/plugin.ts' {
  interface Capabilities extends TlsCapabilities {}
  interface CommandCapabilities {
    /** How commands connect to the service of the same settings. */
    OwnTls: OwnTls
  }
}
