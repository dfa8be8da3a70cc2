/** `svc/client`: the JSON routes and the realtime streams of the service for browsers and Node, without a dependency. */
import type { Awaitable } from '../../core/awaitable.ts'
import type { AnyProfile, ProfileTypes } from '../../core/profile-types.ts'
import { type Api, createApi } from './api.ts'
import { defaultSchedule, type Schedule } from './backoff.ts'
import { type BridgeFollowing, type BridgeOptions, followBridge } from './bridge-stream.ts'
import type { StreamContext } from './event-stream.ts'
import { LiveStream } from './live-stream.ts'
import { pathOf } from './path.ts'
import { followRun, type RunFollowing, type RunOptions } from './run-stream.ts'
import { canShare } from './tabs.ts'

export type { Api, ApiCallOptions, ApiError, ApiPath, ApiResult } from './api.ts'
export type { Schedule } from './backoff.ts'
export type { BridgeFollowing, BridgeOptions } from './bridge-stream.ts'
export type { StateListener, StopReason, StreamReason, StreamState } from './event-stream.ts'
export type { LiveEvent, LiveListener, LiveState, LiveStream } from './live-stream.ts'
export type { Routes, Schemas } from './routes.ts'
export type { RunEvent, RunFollowing, RunGap, RunOptions } from './run-stream.ts'

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

/** The routes and streams of one service. */
export interface Client<F extends ProfileTypes = AnyProfile> {
  /** Calls of the JSON routes. */
  readonly api: Api<F>
  /** Entity changes, by topic. */
  readonly live: LiveStream
  /** Follows a run until the run ends. */
  run(runId: string, options: RunOptions): RunFollowing
  /** Keeps a local store up to date with the server. */
  bridge(options: BridgeOptions): BridgeFollowing
}

/**
 * Creates a client. No connection is opened before the first call or the first listener. With the type of a profile,
 * `createClient<Profile>()`, a call of a route that the profile lacks does not compile.
 */
export function createClient<F extends ProfileTypes = AnyProfile>(options: ClientOptions = {}): Client<F> {
  const { token, share } = options
  const base = (options.baseUrl ?? '').replace(/\/+$/, '')
  const headers = async (): Promise<Record<string, string>> => {
    const value = typeof token === 'function' ? await token() : token
    return { ...options.headers, ...(value === undefined ? {} : { authorization: `Bearer ${value}` }) }
  }
  const context: StreamContext = {
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    headers,
    schedule: { ...defaultSchedule, ...options.schedule },
    silenceMs: options.silenceMs ?? 45_000,
  }
  // Tabs of different users must never share a stream: a different token gives a different key.
  const shareKey = async (): Promise<string> => digest(JSON.stringify([base, share ?? (await headers())]))
  return {
    api: createApi(context, base) as unknown as Api<F>,
    live: new LiveStream(context, `${base}/api/live`, share !== false && canShare() ? shareKey : null),
    run: (runId, run) => followRun(context, base + pathOf('/api/svc/runs/{run_id}/stream', { run_id: runId }), run),
    bridge: (bridge) => followBridge(context, `${base}/api/svc/sync/stream`, bridge),
  }
}

async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
