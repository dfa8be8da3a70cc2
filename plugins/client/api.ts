/** The JSON routes of the service as calls: what a route takes, gives and refuses with is known to the compiler. */
import type { Absent, AnyProfile, ProfileTypes } from '../../core/profile-types.ts'
import { retryAfterMs } from './backoff.ts'
import type { StreamContext } from './event-stream.ts'
import { pathOf } from './path.ts'
import type { Routes } from './routes.ts'

/** A method that routes have. */
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What is known of a route. */
interface Route {
  readonly answers: object
  readonly codes: string
}

/** The paths that have a method. */
export type ApiPath<M extends Method> = keyof Routes extends infer Key
  ? Key extends `${M} ${infer P}`
    ? P
    : never
  : never

/** The route of a method and a path. */
type RouteOf<M extends Method, P> = `${M} ${P & string}` extends keyof Routes ? Routes[`${M} ${P & string}`] : never

/** What a call may say beside what its route takes. */
export interface ApiCallOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** What a route takes: parts of the path, the query, the body. */
type Takes<R> = Omit<R, keyof Route>
/** One argument, which may be left out where the route needs nothing. */
type Arguments<R> = object extends Takes<R> ? [given?: Takes<R> & ApiCallOptions] : [given: Takes<R> & ApiCallOptions]

/** Why a call was refused. */
export interface ApiError<Code extends string = string> {
  /** One of those that the contract names for the route, or another; `unreadable_answer` where it was no answer of the service. */
  readonly code: Code | 'unreadable_answer' | (string & {})
  readonly message: string
  /** How long the service asks to wait before the next attempt, ms; 0 where it does not say. */
  readonly retryAfterMs: number
  /** What a code brings with it, such as `pushId`. */
  readonly details: Readonly<Record<string, unknown>>
}

/** What came of a call. `ok` says which. */
export type ApiResult<R extends Route> =
  | {
      [Status in keyof R['answers']]: {
        readonly ok: true
        readonly status: Status
        readonly data: R['answers'][Status]
        readonly response: Response
      }
    }[keyof R['answers']]
  | {
      readonly ok: false
      readonly status: number
      readonly error: ApiError<R['codes']>
      readonly response: Response
    }

/** A path that the profile serves, or what refuses it. Where the profile is not known, all are taken. */
type PathIn<
  F extends ProfileTypes,
  M extends Method,
  P extends string,
> = `${M} ${P}` extends keyof F['absent']['routes'] ? Absent<F['absent']['routes'][`${M} ${P}`] & string> : P

/** A call by one method. */
type Call<M extends Method, F extends ProfileTypes> = <P extends ApiPath<M>>(
  path: P & PathIn<F, M, P>,
  ...given: Arguments<RouteOf<M, P>>
) => Promise<RouteOf<M, P> extends Route ? ApiResult<RouteOf<M, P>> : never>

/**
 * The JSON routes by method: `await client.api.GET('/api/svc/runs/{run_id}', { path: { run_id } })`. A call rejects only where
 * no answer came, with what `fetch` rejects with, or where a part of a path cannot stand in one.
 */
export interface Api<F extends ProfileTypes = AnyProfile> {
  readonly GET: Call<'GET', F>
  readonly POST: Call<'POST', F>
  readonly PUT: Call<'PUT', F>
  readonly DELETE: Call<'DELETE', F>
}

interface Given extends ApiCallOptions {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
}

/** Makes the calls. Each asks anew for the headers, so that a token may change. */
export function createApi({ fetch, headers }: Pick<StreamContext, 'fetch' | 'headers'>, base: string): Api {
  const by =
    (method: Method) =>
    async (path: string, given: Given = {}) => {
      const url = base + pathOf(path, given.path ?? {}) + queryOf(given.query ?? {})
      const body = given.body === undefined ? undefined : JSON.stringify(given.body)
      const response = await fetch(url, {
        method,
        headers: {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(await headers()),
          ...given.headers,
        },
        ...(body !== undefined && { body }),
        ...(given.signal !== undefined && { signal: given.signal }),
      })
      return { ...read(response.status, await response.text(), response.headers), status: response.status, response }
    }
  return { GET: by('GET'), POST: by('POST'), PUT: by('PUT'), DELETE: by('DELETE') } as unknown as Api
}

function queryOf(query: NonNullable<Given['query']>): string {
  const found = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) found.set(name, String(value))
  const text = found.toString()
  return text === '' ? '' : `?${text}`
}

/** What an answer says. What is not JSON, and a refusal without the service's envelope, comes from something in between. */
function read(
  status: number,
  text: string,
  headers: Headers,
): { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly error: ApiError } {
  const isRefusal = status >= 400
  let value: unknown
  try {
    value = text === '' && !isRefusal ? undefined : JSON.parse(text)
    if (!isRefusal) return { ok: true, data: value }
  } catch {
    // Then it is told below.
  }
  const { code, message, ...details } = ((value as { error?: object } | null | undefined)?.error ?? {}) as {
    readonly code?: unknown
    readonly message?: unknown
  }
  const known = typeof code === 'string'
  return {
    ok: false,
    error: {
      code: known ? code : 'unreadable_answer',
      message: known ? String(message) : `The answer ${status} is not one of the service.`,
      retryAfterMs: retryAfterMs(headers.get('retry-after'), Date.now()),
      details,
    },
  }
}
