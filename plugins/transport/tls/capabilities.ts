/** What the TLS transport gives to other plugins at run time. */
import type { Incoming } from '../node-http/api.ts'

/** The capabilities of the TLS transport. */
export interface TlsCapabilities {
  SecureServer: SecureServer
}

declare module '../../../core/declare/plugin.ts' {
  interface Capabilities extends TlsCapabilities {}
}

/** TLS for the runtime surface. */
export interface SecureServer {
  /** Returns the source of TLS connections for an address, or undefined if no certificate is configured. */
  incoming(address: { readonly host: string; readonly port: number }): Incoming | undefined
}
