/**
 * Requests to the console that sent this page. When it has ended, another program of this machine can listen on its
 * port, and gets the requests of the page. Every answer of the console has an id, which no other program knows: the
 * page sends no such id.
 */
import { effect, type Signal, signal } from '@preact/signals'

/**
 * `up`: the service answers. `away`: the service does not answer. `ended`: the console has ended, or does not accept
 * the cookie.
 */
export type Reachability = 'up' | 'away' | 'ended'

/** The state of the connection after the last request. */
export const connection: Signal<Reachability> = signal('up')

/** Unix time in milliseconds of the first request without an answer; undefined while the service answers. */
export const lostAtMs: Signal<number | undefined> = signal(undefined)
effect(() => {
  lostAtMs.value = connection.value === 'up' ? undefined : (lostAtMs.peek() ?? Date.now())
})

const instance = document.querySelector<HTMLMetaElement>('meta[name="console-instance"]')?.content

/**
 * Like `fetch`, but rejects an answer that is not of this console, unread. While the console has ended, requests that
 * can change something are rejected without being sent; others find out whether the console answers again.
 */
export async function consoleFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  if (connection.value === 'ended' && (init.method ?? 'GET') !== 'GET') throw ended()
  let response: Response
  try {
    response = await fetch(input, init)
  } catch (error) {
    if (init.signal?.aborted !== true) connection.value = 'ended'
    throw error
  }
  if (response.headers.get('x-console-instance') === instance) return response
  connection.value = 'ended'
  response.body?.cancel().catch(() => undefined)
  throw ended()
}

function ended(): TypeError {
  return new TypeError('The console has ended. Start it again with svc console.')
}
