/** The capabilities that the node:http transport provides. */
import type { HttpServer } from './api.ts'

/** The capabilities of the node:http transport. */
export interface NodeHttpCapabilities {
  HttpServer: HttpServer
}

declare module '../../../core/declare/plugin.ts' {
  interface Capabilities extends NodeHttpCapabilities {}
}
