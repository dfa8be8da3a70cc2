/** Cross-origin access for listed origins (WHATWG Fetch, "HTTP extensions": CORS protocol). */
import type { Awaitable } from '../awaitable.ts'
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

/** How long a browser may remember a preflight, in seconds. The maximum of no browser is below 10 min. */
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

/** Answers preflights of listed origins before the guard, and marks the replies to them. Others get no CORS header. */
export function applyCors(handle: Handle, cors: Cors, find: Matcher): Handle {
  return (request) => {
    const origin = request.header('origin')
    if (origin === undefined || !cors.origins.has(origin)) {
      const reply = handle(request)
      return reply instanceof Promise ? reply.then((value) => varied(value)) : varied(reply)
    }
    if (request.method === 'OPTIONS' && request.header('access-control-request-method') !== undefined) {
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
  const own = reply.headers?.['vary']
  return { ...reply, headers: { ...reply.headers, ...more, vary: own === undefined ? 'origin' : `${own}, origin` } }
}
