/** What the fetch transport gives to other plugins at run time. */
import type { FetchHandler } from '../../../core/http/fetch.ts'

/** The capabilities of the fetch transport. */
export interface FetchCapabilities {
  /** Answers WHATWG requests on the runtime surface, in process. */
  Fetch: FetchHandler
}

declare module '../../../core/plugin.ts' {
  interface Capabilities extends FetchCapabilities {}
}
