/** What the TLS transport offers to the server of node:http. */
import type { Incoming } from '../node-http/api.ts'

/** TLS for the runtime surface. */
export interface SecureServer {
  /** Returns the source of TLS connections for an address, or undefined if no certificate is configured. */
  incoming(address: { readonly host: string; readonly port: number }): Incoming | undefined
}
