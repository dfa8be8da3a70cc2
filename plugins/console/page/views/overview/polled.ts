/** Which requests the gauges of the overview count. */
import { type Scrape, without } from '../../lib/metrics.ts'

/** The durations of HTTP requests, and their number. */
export const DURATION = 'svc_http_request_duration_seconds'
export const TOTAL = 'svc_http_requests_total'

/** Probes, which answer with status 503 as long as the service is not ready. */
const PROBES: ReadonlySet<string | undefined> = new Set(['/health', '/healthz', '/ready', '/readyz'])

/**
 * The routes that consoles, probes and collectors poll, which would otherwise be most of what the gauges show. The
 * gauges leave out GET requests of these routes by any caller, but count those that the service answered with 5xx.
 */
const POLLED: ReadonlySet<string | undefined> = new Set([
  ...PROBES,
  '/metrics',
  '/api/svc/runs',
  '/api/v1/status',
  '/api/v1/peers',
  '/api/v1/build',
  '/api/v1/history',
])

/** A scrape without the requests that the gauges leave out. */
export function withoutPolls(read: Scrape): Scrape {
  const names = [TOTAL, `${DURATION}_bucket`, `${DURATION}_sum`, `${DURATION}_count`]
  return without(read, names, ({ method, path, status = '' }) => {
    const isError = status.startsWith('5') && !PROBES.has(path)
    return method === 'GET' && POLLED.has(path) && !isError
  })
}
