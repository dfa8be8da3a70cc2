/** Routes as data: the one table behind the matcher, the guard, the metrics' path label and OpenAPI. */
import type { Awaitable } from '../awaitable.ts'
import type { BodySpec } from './body/body-spec.ts'
import type { Reply } from './reply.ts'
import type { SvcRequest } from './request.ts'

/** The surfaces there are. */
export const surfaceNames = ['runtime', 'local', 'peer'] as const

/** A set of routes with its own guard. */
export type SurfaceName = (typeof surfaceNames)[number]

/** The values of `auth` of a route. */
export const routeAuths = ['guard', 'handler', 'none'] as const

/** One route, without its handler. */
export interface RouteSpec {
  readonly surface: SurfaceName
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** An exact path, or a pattern with `:name` for one segment. */
  readonly path: string
  /**
   * Who checks the caller. `guard` (default): the guard of the surface, before the handler runs. `handler`: nobody but
   * the handler, so a handler that checks nothing is public. `none`: nobody; only open paths of the profile's features.
   */
  readonly auth?: (typeof routeAuths)[number]
  readonly body?: BodySpec
  /** Headers of its replies, in lower case, that pages of the allowed origins may read. */
  readonly exposes?: readonly string[]
  /** One line for the documentation. */
  readonly summary: string | undefined
}

/** Answers a request of its route. May throw an `SvcError`; anything else thrown is a 500 `internal_error`. */
export type Handler = (request: SvcRequest) => Awaitable<Reply>

/** A route with its handler. */
export interface Route extends RouteSpec {
  readonly handler: Handler
}

/** The name by which a route is known in tables and messages: `GET /health`. */
export function routeId(route: Pick<RouteSpec, 'method' | 'path'>): string {
  return `${route.method} ${route.path}`
}
