/** What a faster server than node:http offers to it: to take the runtime surface over. */
import type { Surface } from '../../../core/http/surface.ts'
import type { Listener } from '../node-http/api.ts'

/** A server in native code. */
export interface NativeServer {
  /**
   * Listens for a surface; undefined where the settings want node:http.
   * @throws SvcError `ERR_LISTEN_FAILED`, and `ERR_UWS_UNAVAILABLE` where the settings insist on it
   */
  open(surface: Surface, address: { readonly host: string; readonly port: number }): Promise<Listener | undefined>
}
