/** The client library of the service. Its requests go through the console's server. */
import { type Client, createClient } from '../../../client/index.ts'
import { forUser } from './as-user.ts'
import { consoleFetch } from './console-fetch.ts'
import { base } from './router.ts'

const baseUrl = `${base}/runtime`

/** The client of the runtime surface. All tabs of one console share the live stream. */
export const client: Client = createClient({ baseUrl, fetch: fetchForUser, share: base })

/** A run of another user has that user in its address. */
function fetchForUser(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const url = String(input instanceof Request ? input.url : input)
  const at = url.indexOf(baseUrl)
  return consoleFetch(at < 0 ? input : url.slice(0, at) + baseUrl + forUser(url.slice(at + baseUrl.length)), init)
}
