/** The JSON routes of the service as typed calls: parameters, answers and error codes are checked at compile time. */
import type { Absent, AnyProfile, ProfileTypes } from '../../core/declare/profile-types.ts'
import { retryAfterMs } from './backoff.ts'
import type { StreamContext } from './event-stream.ts'
import { pathOf } from './path.ts'
import type { Routes } from './routes.ts'

/** An HTTP method of the JSON routes. */
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The answers by status and the error codes of a route. */
interface Route {
  readonly answers: object
  readonly codes: string
}

/** The paths of the routes with a method. */
export type ApiPath<M extends Method> = keyof Routes extends infer Key
  ? Key extends `${M} ${infer P}`
    ? P
    : never
  : never

/** The route of a method and a path. */
type RouteOf<M extends Method, P> = `${M} ${P & string}` extends keyof Routes ? Routes[`${M} ${P & string}`] : never

/** Options of every call. */
export interface ApiCallOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** The parameters of a route: the parts of its path, its query and its body. */
type ParametersOf<R> = Omit<R, keyof Route>
/** The arguments of a call: one object, optional if the route has no required parameter. */
type Arguments<R> =
  object extends ParametersOf<R>
    ? [options?: ParametersOf<R> & ApiCallOptions]
    : [options: ParametersOf<R> & ApiCallOptions]

/** Why a call was refused. */
export interface ApiError<Code extends string = string> {
  /**
   * A code that the contract lists for the route, or another code; `unreadable_answer` if the response is not from the
   * service.
   */
  readonly code: Code | 'unreadable_answer' | (string & {})
  readonly message: string
  /** Delay before the next attempt that the response asks for, in ms; 0 without a `Retry-After` header. */
  readonly retryAfterMs: number
  /** Further members of the error, such as `pushId`. */
  readonly details: Readonly<Record<string, unknown>>
}

/** The result of a call: `ok` is true for an answer and false for an error. */
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

/** The path if the profile serves it, else a type that accepts no value. An unknown profile accepts every path. */
type PathIn<
  F extends ProfileTypes,
  M extends Method,
  P extends string,
> = `${M} ${P}` extends keyof F['absent']['routes'] ? Absent<F['absent']['routes'][`${M} ${P}`] & string> : P

/** Calls a route by one method. */
type Call<M extends Method, F extends ProfileTypes> = <P extends ApiPath<M>>(
  path: P & PathIn<F, M, P>,
  ...options: Arguments<RouteOf<M, P>>
) => Promise<RouteOf<M, P> extends Route ? ApiResult<RouteOf<M, P>> : never>

/**
 * The JSON routes by method: `await client.api.GET('/api/svc/runs/{run_id}', { path: { run_id } })`. A call rejects
 * only if no complete response arrives, with the error of `fetch`, or if it cannot be sent: an invalid part of the
 * path, or no token.
 */
export interface Api<F extends ProfileTypes = AnyProfile> {
  readonly GET: Call<'GET', F>
  readonly POST: Call<'POST', F>
  readonly PUT: Call<'PUT', F>
  readonly DELETE: Call<'DELETE', F>
}

interface CallInput extends ApiCallOptions {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
}

/** Creates the calls. Each call asks for the headers again, because the token may have changed. */
export function createApi({ fetch, headers }: Pick<StreamContext, 'fetch' | 'headers'>, base: string): Api {
  const callBy =
    (method: Method) =>
    async (path: string, options: CallInput = {}) => {
      const url = base + pathOf(path, options.path ?? {}) + queryOf(options.query ?? {})
      const body = options.body === undefined ? undefined : JSON.stringify(options.body)
      const response = await fetch(url, {
        method,
        headers: {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(await headers()),
          ...options.headers,
        },
        ...(body !== undefined && { body }),
        ...(options.signal !== undefined && { signal: options.signal }),
      })
      return { ...read(response.status, await response.text(), response.headers), status: response.status, response }
    }
  // The compiler cannot derive the types of the routes from one function for all of them, so the contract gives them
  // here.
  return { GET: callBy('GET'), POST: callBy('POST'), PUT: callBy('PUT'), DELETE: callBy('DELETE') } as unknown as Api
}

function queryOf(query: NonNullable<CallInput['query']>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

/**
 * Reads a response. A body that is not JSON, or an error without the envelope of the service, is from an intermediary.
 */
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
    // Reported below as `unreadable_answer`.
  }
  const { code, message, ...details } = ((value as { error?: object } | null | undefined)?.error ?? {}) as {
    readonly code?: unknown
    readonly message?: unknown
  }
  const hasCode = typeof code === 'string'
  return {
    ok: false,
    error: {
      code: hasCode ? code : 'unreadable_answer',
      message: hasCode ? String(message) : `The response with status ${status} is not from the service.`,
      retryAfterMs: retryAfterMs(headers.get('retry-after'), Date.now()),
      details,
    },
  }
}
