/** The paths of pushes on every surface, and the deprecation of the first version. */
import type { Hook } from '../../../core/http/hooks.ts'

/** Path of a push of the first version. */
export const UNSIGNED_PATH = '/api/v1/sync/push'
/** Path of the pushes of the present version. */
export const PUSHES_PATH = '/api/v2/sync/pushes'

/** Since the release of schema 1.7: 2026-11-01T00:00:00Z. */
const DEPRECATED_SINCE_S = 1_793_491_200
/** Two release trains after: 2027-05-01T00:00:00Z. */
const SUNSET_MS = Date.UTC(2027, 4, 1)

const HEADERS: Readonly<Record<string, string>> = {
  deprecation: `@${DEPRECATED_SINCE_S}`,
  sunset: new Date(SUNSET_MS).toUTCString(),
  link: `<${PUSHES_PATH}>; rel="successor-version"`,
}

/**
 * Adds `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and the successor to all replies of the route, refusals included.
 */
export const deprecationHook: Hook = {
  amend: (request, reply) =>
    request.path === UNSIGNED_PATH ? { ...reply, headers: { ...reply.headers, ...HEADERS } } : reply,
}
