/** What all streams of a client share. */
import type { Awaitable } from '../../core/kernel/values.ts'
import { defaultSchedule, type Schedule } from './backoff.ts'
import type { StreamContext } from './event-stream.ts'

/** How to reach the service. */
export interface ClientOptions {
  /** Address of the service; the origin of the page if absent. */
  readonly baseUrl?: string
  /**
   * Bearer token, or a function that returns it and is called at each attempt. Sent in a header, never in an address.
   */
  readonly token?: string | (() => Awaitable<string>)
  /** Further headers of each request, such as `x-api-key`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly fetch?: typeof fetch
  /** Changes to the schedule of reconnection: 1, 2, 4, 8, 16, 30, 30 … s without end. */
  readonly schedule?: Partial<Schedule>
  /** Silence after which a connection counts as dead, in ms; 45 000 if absent, which is three heartbeats. */
  readonly silenceMs?: number
  /**
   * Tabs of this origin with the same value share one live connection. It must be the same text for the same user, such
   * as an account id. If absent, it is derived from the credential; with false each tab has a separate connection.
   */
  readonly share?: string | false
}

/** The context of streams with these options. */
export function contextOf({
  token,
  headers,
  fetch: customFetch,
  schedule,
  silenceMs = 45_000,
}: Pick<ClientOptions, 'token' | 'headers' | 'fetch' | 'schedule' | 'silenceMs'>): StreamContext {
  return {
    fetch: customFetch ?? ((...request) => fetch(...request)),
    headers: async () => {
      const value = typeof token === 'function' ? await token() : token
      return { ...headers, ...(value === undefined ? {} : { authorization: `Bearer ${value}` }) }
    },
    schedule: { ...defaultSchedule, ...schedule },
    silenceMs,
  }
}
