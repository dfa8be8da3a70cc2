/** Compiles a route into one function: guard, parameters, body checks, handler. */
import type { Awaitable } from '../kernel/values.ts'
import { checkBody } from './body-limits.ts'
import { admitAgain, behindGuard, type Guard } from './guard.ts'
import { checkJsonBounds, jsonBoundsOf } from './json-body.ts'
import { decodeParams } from './match.ts'
import { isGuarded } from './public-routes.ts'
import type { Reply } from './reply.ts'
import type { SvcRequest } from './request.ts'
import type { Route } from './route.ts'
import type { Turns } from './turns.ts'

/** The parts that the routes of one surface share. */
export interface RouteParts {
  readonly guard: Guard
  /** Largest body of a route in bytes. */
  readonly bodyLimit: (route: Route) => number
  /** The queue of large JSON bodies. If it is present, JSON bodies are bounded and queued. */
  readonly turns: Turns | undefined
  readonly monotonic: () => number
}

/**
 * Milliseconds within which a body counts as having arrived with its head. The guard runs again only for a later body,
 * because an earlier second run would repeat the first.
 */
const AT_ONCE_MS = 1

/** Compiles a route. */
export function compileRoute(route: Route, parts: RouteParts): (request: SvcRequest) => Awaitable<Reply> {
  const { handler, body } = route
  const limit = parts.bodyLimit(route)
  const readBody = bodyReader(route, parts)
  const parametric = route.path.includes(':')
  const act = (request: SvcRequest): Awaitable<Reply> => {
    if (parametric) decodeParams(request)
    if (body !== undefined) checkBody(request, body, limit)
    request.bodyLimit = limit
    if (readBody !== undefined) request.whenRead = readBody(request)
    return handler(request)
  }
  return isGuarded(route) ? behindGuard(parts.guard, act) : act
}

type WhenRead = (bytes: Uint8Array) => Awaitable<Uint8Array>

/**
 * Makes the function that checks a body between its arrival and the handler; undefined if there is nothing to check.
 */
function bodyReader(route: Route, parts: RouteParts): ((request: SvcRequest) => WhenRead) | undefined {
  const { guard, turns, monotonic } = parts
  if (route.body === undefined) return undefined
  const bounds = turns === undefined ? undefined : jsonBoundsOf(route.body)
  const guarded = isGuarded(route)
  if (!guarded && bounds === undefined) return undefined
  return (request) => {
    const admittedMs = monotonic()
    const admit: WhenRead = (bytes) => {
      if (bounds !== undefined) checkJsonBounds(bytes, bounds)
      return !guarded || monotonic() - admittedMs <= AT_ONCE_MS ? bytes : admitAgain(request, guard, bytes)
    }
    return (bytes) => {
      const turn = bounds === undefined ? undefined : turns?.(bytes.length)
      return turn === undefined ? admit(bytes) : turn.then(() => admit(bytes))
    }
  }
}
