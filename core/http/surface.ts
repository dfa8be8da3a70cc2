/** A surface: routes, one guard, hooks; compiled once into a function from request to reply. */

import type { SvcError } from '../declare/errors.ts'
import { httpFail } from '../kernel/catalogue.ts'
import type { Awaitable } from '../kernel/values.ts'
import { compileRoute } from './compile-route.ts'
import { applyCors, type Cors, crossOriginHeaders, explainPreflights } from './cors.ts'
import { createErrorReplies, type ErrorReplyParts } from './error-reply.ts'
import { denyAll, type Guard } from './guard.ts'
import { type Hook, withHooks } from './hooks.ts'
import { createMatcher, type Matcher, type MethodTable } from './match.ts'
import type { Reply, ReplyHeaders } from './reply.ts'
import type { SvcRequest } from './request.ts'
import type { Route, SurfaceName } from './route.ts'
import { createTurns, yieldToLoop } from './turns.ts'

declare const __PROGRAM__: boolean

/** A surface as a transport uses it. */
export interface Surface {
  readonly name: SurfaceName
  readonly routes: readonly Route[]
  /** Largest body in bytes that one of the routes accepts. */
  readonly maxBodyBytes: number
  /** Answers a request. Never throws and never rejects. */
  handle(request: SvcRequest): Awaitable<Reply>
  /** The headers of a refusal that a transport makes itself, by the `Origin` of the request if the transport has it. */
  crossOrigin(origin: string | undefined): ReplyHeaders
}

/** The parts of a surface. */
export interface SurfaceParts extends ErrorReplyParts {
  readonly name: SurfaceName
  readonly routes: readonly Route[]
  readonly guard?: Guard | undefined
  /** Paths that are answered without a credential, even if they have no route; matched exactly as received. */
  readonly open: ReadonlySet<string>
  readonly hooks: readonly Hook[]
  readonly monotonic: () => number
  /** Largest body of a route in bytes. */
  readonly bodyLimit: (route: Route) => number
  readonly cors?: Pick<Cors, 'origins'> | undefined
}

/** Compiles a surface. Every decision that does not depend on a request is made here. */
export function compileSurface(parts: SurfaceParts): Surface {
  const { name, routes, log, monotonic, bodyLimit, cors } = parts
  const guard = parts.guard ?? denyAll
  // The other surfaces have stricter checks and their own queues for JSON bodies.
  const turns = name === 'runtime' ? createTurns(yieldToLoop) : undefined
  const shared = { guard, bodyLimit, turns, monotonic }
  const find = createMatcher(routes.map((route) => ({ route, run: compileRoute(route, shared) })))
  let handle = createAnswer(find, guard, parts)
  const access: Cors | undefined = cors && {
    ...cors,
    exposes: [...new Set(routes.flatMap((route) => route.exposes ?? []))],
  }
  // The host of a library has a log and answers of its own.
  if (typeof __PROGRAM__ === 'undefined' || __PROGRAM__)
    if (name === 'runtime') handle = explainPreflights(handle, access?.origins ?? new Set(), { log, monotonic })
  if (access !== undefined) handle = applyCors(handle, access, find)
  handle = withHooks(handle, {
    hooks: parts.hooks,
    monotonic,
    failed: (error) => log.error('A hook failed.', { error }),
  })
  return {
    name,
    routes,
    maxBodyBytes: Math.max(0, ...routes.map(bodyLimit)),
    handle,
    crossOrigin: (origin) => (access === undefined ? {} : { vary: 'origin', ...crossOriginHeaders(access, origin) }),
  }
}

/** Finds the route of a request and runs it. Errors become replies. */
function createAnswer(find: Matcher, guard: Guard, parts: SurfaceParts): (request: SvcRequest) => Awaitable<Reply> {
  const { open } = parts
  const toReply = createErrorReplies(parts)

  // Without a credential, a path without a route is a 401, like a path with a route.
  const refuse = (request: SvcRequest, table: MethodTable | undefined): Awaitable<Reply> => {
    if (open.has(request.path)) throw noRoute(table)
    return after(guard(request), (identity) => {
      request.identity = identity
      throw noRoute(table)
    })
  }

  return (request) => {
    try {
      const table = find(request)
      const run = table?.get(request.method)
      const reply = run === undefined ? refuse(request, table) : run(request)
      return reply instanceof Promise ? reply.catch((error: unknown) => toReply(error, request)) : reply
    } catch (error) {
      return toReply(error, request)
    }
  }
}

function noRoute(table: MethodTable | undefined): SvcError {
  return table === undefined
    ? httpFail('not_found')
    : httpFail('method_not_allowed', { headers: { allow: [...table.keys()].join(', ') } })
}

function after<T>(value: Awaitable<T>, next: (value: T) => never): Awaitable<never> {
  return value instanceof Promise ? value.then(next) : next(value)
}
