/** The client library of the service, over the console's own server. */
import { type Client, createClient } from '../../../client/index.ts'
import { base } from './router.ts'

/** Streams of the runtime surface. All tabs of one console share the live stream. */
export const client: Client = createClient({ baseUrl: `${base}/runtime`, share: base })
