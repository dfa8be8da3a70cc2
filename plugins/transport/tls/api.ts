/** What the TLS transport offers to the server of node:http, and to commands. */
import type { Duplex } from 'node:stream'
import type { Incoming } from '../node-http/api.ts'

/** TLS for the runtime surface. */
export interface SecureServer {
  /** Returns the source of TLS connections for an address, or undefined if no certificate is configured. */
  incoming(address: { readonly host: string; readonly port: number }): Incoming | undefined
}

/** How commands connect to the service of the same settings. */
export interface OwnTls {
  /**
   * Connects to an address of this machine, and rejects if the service there has another certificate than the one of the settings.
   * Undefined if the settings name no certificate: then the service speaks HTTP.
   */
  readonly connect:
    | ((place: { readonly host: string; readonly port: number }, signal: AbortSignal) => Promise<Duplex>)
    | undefined
}

declare module '../../../core/plugin.ts' {
  interface CommandCapabilities {
    /** How commands connect to the service of the same settings. */
    OwnTls: OwnTls
  }
}
