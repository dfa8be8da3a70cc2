/** The capabilities that the fetch transport provides. */
import type { FetchHandler } from '../../../core/http/fetch.ts'

/** The capabilities of the fetch transport. */
export interface FetchCapabilities {
  /** Answers WHATWG requests on the runtime surface, in process. */
  Fetch: FetchHandler
}

declare module '../../../core/declare/plugin.ts' {
  interface Capabilities extends FetchCapabilities {}
}
