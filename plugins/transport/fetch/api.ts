/** What the fetch transport offers. */
import type { FetchHandler } from '../../../core/http/fetch.ts'

declare module '../../../core/plugin.ts' {
  interface Capabilities {
    /** Answers WHATWG requests on the runtime surface, in process. */
    Fetch: FetchHandler
  }
}

export type { FetchHandler }
