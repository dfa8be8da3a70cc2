/** The capabilities that the uWebSockets.js transport provides. */
import type { NativeServer } from './api.ts'

/** The capabilities of the uWebSockets.js transport. */
export interface UwsCapabilities {
  NativeServer: NativeServer
}

declare module '../../../core/plugin.ts' {
  interface Capabilities extends UwsCapabilities {}
}
