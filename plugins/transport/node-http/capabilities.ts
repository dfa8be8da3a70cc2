/** What the node:http transport gives to other plugins at run time. */
import type { HttpServer } from './api.ts'

/** The capabilities of the node:http transport. */
export interface NodeHttpCapabilities {
  HttpServer: HttpServer
}

declare module '../../../core/plugin.ts' {
  interface Capabilities extends NodeHttpCapabilities {}
}
