/** Sends requests to the service through the console's server, which adds the credentials. */
import { type Signal, signal } from '@preact/signals'
import type { Session } from '../../session.ts'
import { forUser } from './as-user.ts'
import { connection, consoleFetch } from './console-fetch.ts'
import { base } from './router.ts'

/** Number of times that the service has recovered. When it changes, views load their data again. */
export const recoveries: Signal<number> = signal(0)

/** The session of the console; undefined until it is loaded. */
export const session: Signal<Session | undefined> = signal(undefined)

/** The loaded session. Throws an `Error` before it is loaded. Views are drawn only after the session is loaded. */
export function loadedSession(): Session {
  const { value } = session
  if (value === undefined) throw new Error('the session is not loaded')
  return value
}

/** An error that the service or the console returned. */
export class ServiceError extends Error {
  readonly status: number
  readonly code: string
  readonly hint: string | undefined
  /** Further members of the error, such as `currentFrontier`. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.hint = typeof details['hint'] === 'string' ? details['hint'] : undefined
    this.details = details
  }
}

/** The options of a request. */
export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Sent as JSON; a `Blob` is sent unchanged. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/**
 * Sends a request to the runtime surface. Rejects with a `ServiceError`, or with the error of `fetch` after an abort.
 */
export function runtime<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return json<T>(`/runtime${forUser(path, options.method)}`, options)
}

/** Sends a request to the local surface. Rejects as `runtime` does. */
export function local<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return json<T>(`/local${path}`, options)
}

/** Sends a request to the console itself. Rejects as `runtime` does. */
export function consoleApi<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return json<T>(`/console${path}`, options)
}

/** Loads the session. Rejects as `runtime` does. */
export async function loadSession(stop?: AbortSignal): Promise<void> {
  const read = await consoleApi<Session>('/session', stop && { signal: stop })
  // The same session draws nothing again.
  if (JSON.stringify(read) === JSON.stringify(session.peek())) return
  session.value = read
  document.title = ['svc console', read.service?.profile].filter(Boolean).join(' · ')
}

async function json<T>(url: string, options: RequestOptions): Promise<T> {
  const response = await send(url, options)
  const text = await textOf(response, options)
  try {
    return (text === '' ? undefined : JSON.parse(text)) as T
  } catch {
    throw unreadable(response)
  }
}

/**
 * Reads the whole body of an answer. Rejects with a `ServiceError` if the connection ends before the end of the body.
 */
export async function textOf(
  response: Response,
  { signal: stop }: Pick<RequestOptions, 'signal'> = {},
): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    if (stop?.aborted) throw error
    throw unreadable(response)
  }
}

function unreadable({ status }: Response): ServiceError {
  return new ServiceError(status, 'unreadable_answer', `The answer (status ${status}) cannot be read.`)
}

/** Sends a request and returns its answer. Rejects with a `ServiceError` if the answer is an error. */
export async function send(
  url: string,
  { method = 'GET', body, headers, signal: stop }: RequestOptions = {},
): Promise<Response> {
  const isJson = body !== undefined && !(body instanceof Blob)
  let response: Response
  try {
    response = await consoleFetch(base + url, {
      method,
      headers: { accept: 'application/json', ...(isJson && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as Blob) }),
      ...(stop !== undefined && { signal: stop }),
    })
  } catch (error) {
    if (stop?.aborted) throw error
    throw new ServiceError(0, 'console_away', 'The console has ended. Start it again with svc console.')
  }
  if (response.ok) {
    // The console itself also answers while the service is away.
    if (connection.value === 'ended' || (connection.value === 'away' && !url.startsWith('/console/'))) recovered()
    return response
  }
  const refusal = await refusalOf(response)
  if (refusal.code === 'service_away') connection.value = 'away'
  throw refusal
}

function recovered(): void {
  connection.value = 'up'
  recoveries.value++
}

async function refusalOf(response: Response): Promise<ServiceError> {
  try {
    const text = await response.text()
    const { code, message, ...details } = (JSON.parse(text) as { error: { code: string; message: string } }).error
    return new ServiceError(response.status, code, message, details)
  } catch {
    return unreadable(response)
  }
}
