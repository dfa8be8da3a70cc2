/** Requests to the service, through the console's own server, which adds the credentials. */
import { type Signal, signal } from '@preact/signals'
import type { Session } from '../../session.ts'
import { base } from './router.ts'

/** Whether the page reaches the service: `up`; `away`: the service does not answer; `ended`: the console ended, or forgot this page. */
export type Connection = 'up' | 'away' | 'ended'

/** The state of the connection, as the last request found it. */
export const connection: Signal<Connection> = signal('up')

/** Counts the recoveries of the service. What a view has loaded is loaded again when it changes. */
export const recoveries: Signal<number> = signal(0)

/** The session, as the console reports it; undefined until it is loaded. */
export const session: Signal<Session | undefined> = signal(undefined)

/** The loaded session. Throws before it is loaded; views are drawn after that. */
export function loadedSession(): Session {
  const { value } = session
  if (value === undefined) throw new Error('the session is not loaded')
  return value
}

/** A refusal of the service, or of the console. */
export class ServiceError extends Error {
  readonly status: number
  readonly code: string
  readonly hint: string | undefined
  /** Further members of the refusal, such as `currentFrontier`. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.hint = typeof details['hint'] === 'string' ? details['hint'] : undefined
    this.details = details
  }
}

/** What a request may say. */
export interface Ask {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Sent as JSON; a `Blob` is sent as it is. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** Asks the runtime surface. Rejects with a `ServiceError`, or with what `fetch` rejects with if it was aborted. */
export function runtime<T>(path: string, ask: Ask = {}): Promise<T> {
  return json<T>(`/runtime${path}`, ask)
}

/** Asks the local surface. */
export function local<T>(path: string, ask: Ask = {}): Promise<T> {
  return json<T>(`/local${path}`, ask)
}

/** Asks the console itself. */
export function own<T>(path: string, ask: Ask = {}): Promise<T> {
  return json<T>(`/console${path}`, ask)
}

/** Loads the session. Rejects as `own`. */
export async function loadSession(): Promise<void> {
  session.value = await own<Session>('/session')
  document.title = `svc console · ${session.value.profile}`
}

async function json<T>(url: string, ask: Ask): Promise<T> {
  const response = await send(url, ask)
  const text = await textOf(response, ask)
  try {
    return (text === '' ? undefined : JSON.parse(text)) as T
  } catch {
    throw unreadable(response)
  }
}

/** The whole body of an answer. Rejects with a `ServiceError` if the connection ends in the middle of it. */
export async function textOf(response: Response, { signal: stop }: Pick<Ask, 'signal'> = {}): Promise<string> {
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

/** Sends a request and returns the answer if it is no refusal. */
export async function send(url: string, { method = 'GET', body, headers, signal: stop }: Ask = {}): Promise<Response> {
  const isJson = body !== undefined && !(body instanceof Blob)
  let response: Response
  try {
    response = await fetch(base + url, {
      method,
      headers: { accept: 'application/json', ...(isJson && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as Blob) }),
      ...(stop !== undefined && { signal: stop }),
    })
  } catch (error) {
    if (stop?.aborted) throw error
    connection.value = 'ended'
    throw new ServiceError(0, 'console_away', 'The console has ended. Start it again with svc console.')
  }
  if (response.ok) {
    // The console answers for itself also while the service is away.
    if (connection.value === 'ended' || (connection.value === 'away' && !url.startsWith('/console/'))) recovered()
    return response
  }
  const refusal = await refusalOf(response)
  if (refusal.code === 'service_away') connection.value = 'away'
  if (refusal.code === 'session_missing') connection.value = 'ended'
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
