/** The client library of the service. Its requests go through the console's server. */
import { type Client, createClient } from '../../../client/index.ts'
import { consoleFetch } from './console-fetch.ts'
import { base } from './router.ts'

/** The client of the runtime surface. All tabs of one console share the live stream. */
export const client: Client = createClient({ baseUrl: `${base}/runtime`, fetch: consoleFetch, share: base })
