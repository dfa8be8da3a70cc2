/** The capabilities that the uWebSockets.js transport provides. */
import type { Surface } from '../../../core/http/surface.ts'
import type { Listener } from '../node-http/api.ts'

/** The capabilities of the uWebSockets.js transport. */
export interface UwsCapabilities {
  NativeServer: NativeServer
}

declare module '../../../core/declare/plugin.ts' {
  interface Capabilities extends UwsCapabilities {}
}

/** A server in native code. */
export interface NativeServer {
  /**
   * Listens for a surface; undefined if the settings choose node:http.
   * @throws SvcError `ERR_LISTEN_FAILED`, and `ERR_UWS_UNAVAILABLE` if the settings require this server
   */
  open(surface: Surface, address: { readonly host: string; readonly port: number }): Promise<Listener | undefined>
}
