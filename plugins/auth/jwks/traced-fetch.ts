/** Reading the key set as a span of its own. */
import type { Tracing } from '../../telemetry/api.ts'

type Fetch = typeof globalThis.fetch

/** `fetch`, with a span and a trace context for each request. All callers wait for one reading, so it has no parent. */
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
