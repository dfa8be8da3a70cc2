/** What the TLS transport offers to commands. Plugins without Node's types do not see it. */
import type { Duplex } from 'node:stream'

/** How commands connect to the service of the same settings. */
export interface OwnTls {
  /**
   * Connects to an address of this machine, and rejects if the service there has another certificate than the one of
   * the settings. Undefined if the settings name no certificate: then the service speaks HTTP.
   */
  readonly connect:
    | ((place: { readonly host: string; readonly port: number }, signal: AbortSignal) => Promise<Duplex>)
    | undefined
}

declare module '../../../../core/declare/plugin.ts' {
  interface CommandCapabilities {
    /** How commands connect to the service of the same settings. */
    OwnTls: OwnTls
  }
}
