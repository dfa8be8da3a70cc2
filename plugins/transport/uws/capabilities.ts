/** What the uWebSockets.js transport gives to other plugins at run time. */
import type { NativeServer } from './api.ts'

/** The capabilities of the uWebSockets.js transport. */
export interface UwsCapabilities {
  NativeServer: NativeServer
}

declare module '../../../core/plugin.ts' {
  interface Capabilities extends UwsCapabilities {}
}
