/** Routes as data. The matcher, the guard, the path label of metrics and OpenAPI use the same table. */
import type { Awaitable } from '../kernel/values.ts'
import type { Reply } from './reply.ts'
import type { SvcRequest } from './request.ts'

/** The names of all surfaces. */
export const surfaceNames = ['runtime', 'local', 'peer'] as const

/** A set of routes with its own guard. */
export type SurfaceName = (typeof surfaceNames)[number]

/** The values of `auth` of a route. */
export const routeAuths = ['guard', 'handler', 'none'] as const

/** The largest depth and size of a JSON body. */
export interface JsonBounds {
  /** Levels of objects and arrays; `{}` has one. */
  readonly maxDepth: number
  /** Members of objects and items of arrays, of all levels together. An empty object or array counts as one. */
  readonly maxMembers: number
}

/** The body that a route accepts. */
export interface BodySpec {
  /** The media type, without parameters; any other is 415 `unsupported_media_type`. */
  readonly type: string
  /** Key of the setting with the largest size in bytes; `server.max_body_bytes` if absent. */
  readonly limit?: string
  /** A size in bytes that no setting raises. */
  readonly maxBytes?: number
  /**
   * Bounds of a JSON body on the runtime surface, if the route needs other bounds than 64 levels and 10 000 members.
   */
  readonly json?: Partial<JsonBounds>
  /** Whether a request without a body is accepted. Its content type is then not checked. */
  readonly optional?: boolean
}

/** One route, without its handler. */
export interface RouteSpec {
  readonly surface: SurfaceName
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** An exact path, or a pattern with `:name` for one segment. */
  readonly path: string
  /**
   * The check of the caller. `guard` (default): the guard of the surface checks the caller before the handler runs.
   * `handler`: only the handler checks the caller, so a handler without a check is public. `none`: no check; only for
   * open paths of the profile's features.
   */
  readonly auth?: (typeof routeAuths)[number]
  readonly body?: BodySpec
  /** Headers of the replies, in lower case, that pages of the allowed origins may read. */
  readonly exposes?: readonly string[]
  /** One line for the documentation. */
  readonly summary: string | undefined
}

/** Answers a request of its route. May throw an `SvcError`. Any other error is a 500 `internal_error`. */
export type Handler = (request: SvcRequest) => Awaitable<Reply>

/** A route with its handler. */
export interface Route extends RouteSpec {
  readonly handler: Handler
}

/** The name of a route in tables and messages: `GET /health`. */
export function routeId(route: Pick<RouteSpec, 'method' | 'path'>): string {
  return `${route.method} ${route.path}`
}
