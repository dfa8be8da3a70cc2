/** Traces the requests for the key set. */
import type { Tracing } from '../../telemetry/api.ts'

type Fetch = typeof globalThis.fetch

/** Wraps `fetch` in a span per request. A reading serves several requests of clients, so its span has no parent. */
export function traceFetch(fetch: Fetch, tracing: Tracing | undefined): Fetch {
  if (tracing === undefined) return (input, init) => fetch(input, init)
  return async (input, init) => {
    const span = tracing.start('read JWKS', undefined, 'client')
    try {
      const response = await fetch(input, { ...init, headers: { ...(init?.headers as object), ...span.headers } })
      span.end({ 'http.request.method': 'GET', 'http.response.status_code': response.status })
      return response
    } catch (error) {
      span.end({ 'http.request.method': 'GET' }, error)
      throw error
    }
  }
}
