/** Finds the routes of a path: exact paths in a map, patterns by itty-router's expressions in order of declaration. */

import { IttyRouter } from 'itty-router/IttyRouter'
import { httpFail } from '../kernel/catalogue.ts'
import type { Awaitable } from '../kernel/values.ts'
import { closedSink, type Reply } from './reply.ts'
import type { SvcRequest } from './request.ts'
import type { Route } from './route.ts'

/** A compiled route. */
export type Run = (request: SvcRequest) => Awaitable<Reply>

/** The routes of one path, by method. Every GET has a HEAD too. */
export type MethodTable = ReadonlyMap<string, Run>

/**
 * Finds the table of a request's path. Sets `route` and, for patterns, `params`. If several routes fit the path, the
 * first one with the method is used. If none has the method, the table has the methods of all of them.
 */
export type Matcher = (request: SvcRequest) => MethodTable | undefined

/** Builds the matcher of a set of routes. */
export function createMatcher(routes: readonly { readonly route: Route; readonly run: Run }[]): Matcher {
  const exact = new Map<string, Map<string, Run>>()
  for (const { route, run } of routes) {
    let table = exact.get(route.path)
    if (table === undefined) exact.set(route.path, (table = new Map()))
    table.set(route.method, run)
    if (route.method === 'GET') table.set('HEAD', withoutBody(run))
  }
  const patterns: { readonly expression: RegExp; readonly path: string; readonly table: MethodTable }[] = []
  for (const [path, table] of exact) {
    if (!path.includes(':')) continue
    exact.delete(path)
    patterns.push({ expression: toExpression(path), path, table })
  }

  return (request) => {
    const { path, method } = request
    let methods: MethodTable | undefined = exact.get(path)
    if (methods !== undefined) {
      request.route = path
      if (methods.has(method)) return methods
    }
    // The expressions tolerate trailing slashes; the service does not, so that a path has one spelling.
    if (path.endsWith('/')) return methods
    for (const pattern of patterns) {
      const match = pattern.expression.exec(path)
      if (match === null) continue
      const takes = pattern.table.has(method)
      if (methods === undefined || takes) request.route = pattern.path
      if (takes) {
        request.params = match.groups!
        return pattern.table
      }
      methods = new Map([...(methods ?? []), ...pattern.table])
    }
    return methods
  }
}

/**
 * Decodes the path parameters of a request. Called after the guard, so that an unknown caller gets 401 even for a bad
 * escape.
 * @throws SvcError `malformed_request`
 */
export function decodeParams(request: SvcRequest): void {
  const decoded: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.params)) {
    try {
      decoded[name] = value.includes('%') ? decodeURIComponent(value) : value
    } catch {
      throw httpFail('malformed_request', {
        message: `The path parameter "${name}" is not valid percent-encoded UTF-8.`,
      })
    }
  }
  request.params = decoded
}

function toExpression(path: string): RegExp {
  const router = IttyRouter()
  router.all(path, () => undefined)
  return router.routes[0]![1]
}

/**
 * Answers HEAD. The stream of the handler is closed at once. The reply is a stream that ends at once, so that the
 * transport sends the same head as for GET. The transport leaves out a plain body.
 */
function withoutBody(run: Run): Run {
  const close = (reply: Reply): Reply => {
    if (reply.stream === undefined) return reply
    reply.stream(closedSink)
    return { status: reply.status, headers: reply.headers, stream: (sink) => sink.end() }
  }
  return (request) => {
    const reply = run(request)
    return reply instanceof Promise ? reply.then(close) : close(reply)
  }
}
