/** Cross-origin access for listed origins (WHATWG Fetch, "HTTP extensions": CORS protocol). */

import type { Logger } from '../kernel/log.ts'
import { type Awaitable, dropOldest } from '../kernel/values.ts'
import type { Matcher } from './match.ts'
import { empty, type Reply, type ReplyHeaders } from './reply.ts'
import type { SvcRequest } from './request.ts'

/** The allowed origins, and the headers that they may read. */
export interface Cors {
  readonly origins: ReadonlySet<string>
  /** Headers of replies that a page may read, besides those of the core. */
  readonly exposes: readonly string[]
}

type Handle = (request: SvcRequest) => Awaitable<Reply>

/** How long a browser may remember a preflight, in seconds. Every browser allows at least 10 min. */
const MAX_AGE_SECONDS = '600'

/** Headers of the core that a page may read. */
const EXPOSED = ['etag', 'location', 'retry-after']

/** The headers that let a page of a listed origin read a reply; none for other origins. */
export function crossOriginHeaders({ origins, exposes }: Cors, origin: string | undefined): ReplyHeaders {
  if (origin === undefined || !origins.has(origin)) return {}
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': [...EXPOSED, ...exposes].join(', '),
  }
}

/** The `reason` in the answer to a preflight whose origin is not listed. */
const REASON = 'origin_not_allowed'

/** An origin is logged at most once in this time, in milliseconds. */
const QUIET_MS = 60_000

/** Most origins whose last log line is remembered. */
const MAX_ORIGINS = 100

/** Longest origin that is logged, in UTF-16 units: a name has at most 253. */
const MAX_ORIGIN = 300

/**
 * Says what is wrong to a preflight whose origin is not listed: in a line of the log that names the origin, and in the
 * body of the answer, which stays the refusal that it would be without the origin.
 */
export function explainPreflights(
  handle: Handle,
  origins: ReadonlySet<string>,
  { log, monotonic }: { readonly log: Logger; readonly monotonic: () => number },
): Handle {
  const quietUntilMs = new Map<string, number>()
  const report = (origin: string): void => {
    const nowMs = monotonic()
    if ((quietUntilMs.get(origin) ?? -Infinity) > nowMs) return
    quietUntilMs.delete(origin)
    quietUntilMs.set(origin, nowMs + QUIET_MS)
    if (quietUntilMs.size > MAX_ORIGINS) dropOldest(quietUntilMs)
    log.warn('A browser was refused, because the origin of its page is not in server.cors_origins.', { origin })
  }
  const explain = (reply: Reply): Reply => {
    if (reply.code === undefined) return reply
    const message = 'The origin of this page is not in server.cors_origins, so browsers do not let it call.'
    return { ...reply, body: JSON.stringify({ error: { code: reply.code, message, reason: REASON } }) }
  }
  return (request) => {
    const origin = request.header('origin')
    if (origin === undefined || origins.has(origin) || !isPreflight(request)) return handle(request)
    report(origin.slice(0, MAX_ORIGIN))
    const reply = handle(request)
    return reply instanceof Promise ? reply.then(explain) : explain(reply)
  }
}

function isPreflight(request: SvcRequest): boolean {
  return request.method === 'OPTIONS' && request.header('access-control-request-method') !== undefined
}

/** Answers preflights of listed origins before the guard, and adds CORS headers to replies to listed origins only. */
export function applyCors(handle: Handle, cors: Cors, find: Matcher): Handle {
  return (request) => {
    const origin = request.header('origin')
    if (origin === undefined || !cors.origins.has(origin)) {
      const reply = handle(request)
      return reply instanceof Promise ? reply.then((value) => varied(value)) : varied(reply)
    }
    if (isPreflight(request)) {
      const methods = [...(find(request)?.keys() ?? [])].filter((method) => method !== 'HEAD').join(', ')
      return empty(204, {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': methods,
        'access-control-allow-headers': request.header('access-control-request-headers') ?? '',
        'access-control-max-age': MAX_AGE_SECONDS,
        vary: 'origin',
      })
    }
    const mark = (reply: Reply): Reply => varied(reply, crossOriginHeaders(cors, origin))
    const reply = handle(request)
    return reply instanceof Promise ? reply.then(mark) : mark(reply)
  }
}

/** Adds `Vary: Origin`, because a cache must not serve an origin the reply to another origin. */
function varied(reply: Reply, more?: ReplyHeaders): Reply {
  const vary = reply.headers?.['vary']
  return { ...reply, headers: { ...reply.headers, ...more, vary: vary === undefined ? 'origin' : `${vary}, origin` } }
}
