/** A surface: routes, one guard, hooks; compiled once into a function from request to reply. */
import type { Awaitable } from '../awaitable.ts'
import { httpFail } from '../catalogue.ts'
import { isSvcError, type SvcError } from '../errors.ts'
import type { Identity } from '../identity.ts'
import type { Logger } from '../log.ts'
import { applyCors, type Cors } from './cors.ts'
import { createMatcher, decodeParams, type MethodTable } from './match.ts'
import { errorReply, type Reply } from './reply.ts'
import type { SvcRequest } from './request.ts'
import type { Route, SurfaceName } from './route.ts'

/** Says who the caller is, or throws the 401 or 403. An answer that needs no waiting is given without a promise. */
export type Guard = (request: SvcRequest) => Awaitable<Identity>

/** Watches requests. What a hook throws is logged and changes nothing. */
export interface Hook {
  /** Before the guard; may set `request.traceBy`. */
  onRequest?(request: SvcRequest): void
  /** When the reply is decided, before `onReply`: gives the reply that is sent, this one or one with more headers. */
  amend?(request: SvcRequest, reply: Reply): Reply
  /** When the reply is decided; for a stream that is when it opens. `durationMs` counts from the request's head. */
  onReply?(request: SvcRequest, reply: Reply, durationMs: number): void
}

/** What a transport needs of a surface. */
export interface Surface {
  readonly name: SurfaceName
  readonly routes: readonly Route[]
  /** Largest body in bytes that any of the routes takes. */
  readonly maxBodyBytes: number
  /** Answers a request. Never throws and never rejects. */
  handle(request: SvcRequest): Awaitable<Reply>
}

/** What a surface is compiled from. */
export interface SurfaceParts {
  readonly name: SurfaceName
  readonly routes: readonly Route[]
  readonly guard?: Guard | undefined
  /** Paths that are answered without a credential, whether or not there is a route; matched exactly as received. */
  readonly open: ReadonlySet<string>
  readonly hooks: readonly Hook[]
  readonly log: Logger
  readonly monotonic: () => number
  /** A fresh id for the correlation of an `internal_error` with the log. */
  readonly newId: () => string
  readonly bodyLimit: (route: Route) => number
  readonly cors?: Pick<Cors, 'origins'> | undefined
}

/** Compiles a surface: every decision that does not depend on the request is taken here. */
export function compileSurface(parts: SurfaceParts): Surface {
  const { name, log, monotonic, newId, cors, open } = parts
  const guard = parts.guard ?? denyAll
  const find = createMatcher(
    parts.routes.map((route) => ({ route, run: compileRoute(route, guard, parts.bodyLimit(route), monotonic) })),
  )
  const requestHooks = parts.hooks.filter((hook) => hook.onRequest !== undefined)
  const amendHooks = parts.hooks.filter((hook) => hook.amend !== undefined)
  const replyHooks = parts.hooks.filter((hook) => hook.onReply !== undefined)

  const refuse = (request: SvcRequest, table: MethodTable | undefined): Awaitable<Reply> => {
    if (open.has(request.path)) throw noRoute(table)
    return after(guard(request), () => {
      throw noRoute(table)
    })
  }

  const answer = (request: SvcRequest): Awaitable<Reply> => {
    try {
      const table = find(request)
      const run = table?.get(request.method)
      const reply = run === undefined ? refuse(request, table) : run(request)
      return reply instanceof Promise ? reply.catch((error: unknown) => toReply(error, request)) : reply
    } catch (error) {
      return toReply(error, request)
    }
  }

  const toReply = (error: unknown, request: SvcRequest): Reply => {
    try {
      return describe(error, request)
    } catch (broken) {
      // Details that are no JSON, such as a bigint: the mistake of a plugin, and no reason to leave a client hanging.
      return describe(broken, request)
    }
  }

  const describe = (error: unknown, request: SvcRequest): Reply => {
    if (isSvcError(error) && error.status < 500) return errorReply(error)
    const context = { method: request.method, path: request.route, error }
    if (isSvcError(error) && error.status > 500) {
      log.warn(error.message, { code: error.code, ...context })
      return errorReply(error)
    }
    const traceId = request.trace?.traceId ?? newId()
    log.error('A request failed.', { traceId, ...context })
    // A 500 of a catalogue keeps its code; anything else says nothing of what went wrong.
    const shown = isSvcError(error) && !error.code.startsWith('ERR_') ? error : httpFail('internal_error')
    return errorReply(shown, { traceId })
  }

  let handle = answer
  if (cors !== undefined) {
    const exposes = [...new Set(parts.routes.flatMap((route) => route.exposes ?? []))]
    handle = applyCors(handle, { ...cors, exposes }, find)
  }
  if (requestHooks.length > 0 || amendHooks.length > 0 || replyHooks.length > 0) {
    const inner = handle
    const hookFailed = (error: unknown): void => log.error('A hook failed.', { error })
    const settled = (request: SvcRequest, decided: Reply): Reply => {
      let reply = decided
      for (const hook of amendHooks) {
        try {
          reply = hook.amend!(request, reply)
        } catch (error) {
          hookFailed(error)
        }
      }
      const durationMs = monotonic() - request.startedMs
      for (const hook of replyHooks) {
        try {
          hook.onReply!(request, reply, durationMs)
        } catch (error) {
          hookFailed(error)
        }
      }
      return reply
    }
    handle = (request) => {
      for (const hook of requestHooks) {
        try {
          hook.onRequest!(request)
        } catch (error) {
          hookFailed(error)
        }
      }
      const reply = inner(request)
      return reply instanceof Promise ? reply.then((value) => settled(request, value)) : settled(request, reply)
    }
  }
  const maxBodyBytes = Math.max(0, ...parts.routes.map(parts.bodyLimit))
  return { name, routes: parts.routes, maxBodyBytes, handle }
}

/**
 * Milliseconds up to which a body counts as one that came with its head. Longer, and the guard is asked again; for what
 * came at once that would be a second look at the same moment.
 */
const AT_ONCE_MS = 1

/** A route with guard and body checks as one function. */
function compileRoute(
  route: Route,
  guard: Guard,
  bodyLimit: number,
  monotonic: () => number,
): (request: SvcRequest) => Awaitable<Reply> {
  const { handler, body } = route
  const guarded = route.auth !== 'none' && route.auth !== 'handler'
  const parametric = route.path.includes(':')
  const act = (request: SvcRequest): Awaitable<Reply> => {
    if (parametric) decodeParams(request)
    if (body !== undefined) checkBody(request, body.type, body.optional === true, bodyLimit)
    request.bodyLimit = bodyLimit
    if (guarded && body !== undefined) {
      const admittedMs = monotonic()
      request.whenRead = (bytes) => (monotonic() - admittedMs <= AT_ONCE_MS ? bytes : admitAgain(request, guard, bytes))
    }
    return handler(request)
  }
  if (!guarded) return act
  return (request) => {
    const identity = guard(request)
    if (identity instanceof Promise) {
      return identity.then((value) => {
        request.identity = value
        return act(request)
      })
    }
    request.identity = identity
    return act(request)
  }
}

/** Gives the body to the caller who was let in before it came, if he still would be. */
function admitAgain(request: SvcRequest, guard: Guard, bytes: Uint8Array): Awaitable<Uint8Array> {
  const { user, tenant, credential } = request.identity
  const check = (now: Identity): Uint8Array => {
    // Where credentials are not required, one that ended makes an anonymous caller, who is somebody else.
    if (now.user !== user || now.tenant !== tenant || now.credential?.id !== credential?.id)
      throw httpFail('credential_missing', { message: 'The credential ended before the body had come.' })
    request.identity = now
    return bytes
  }
  const identity = guard(request)
  return identity instanceof Promise ? identity.then(check) : check(identity)
}

function checkBody(request: SvcRequest, type: string, optional: boolean, limit: number): void {
  const given = (request.header('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase()
  if (given !== type && (!optional || request.hasBody)) {
    throw httpFail('unsupported_media_type', { message: `This route takes a body of type ${type}.` })
  }
  if (Number(request.header('content-length') ?? 0) > limit) throw tooLarge(limit)
}

/** The 413 of a body over `limit` bytes, for transports that notice while reading. */
export function tooLarge(limit: number): SvcError {
  return httpFail('payload_too_large', { message: `The body is larger than the ${limit} bytes that this route takes.` })
}

function noRoute(table: MethodTable | undefined): SvcError {
  return table === undefined
    ? httpFail('not_found')
    : httpFail('method_not_allowed', { headers: { allow: [...table.keys()].join(', ') } })
}

/** A surface without a guard lets nobody in. */
const denyAll: Guard = () => {
  throw httpFail('credential_missing')
}

function after<T>(value: Awaitable<T>, next: () => never): Awaitable<never> {
  return value instanceof Promise ? value.then(next) : next()
}
