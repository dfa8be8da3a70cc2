/**
 * `svc/client`: the JSON routes and the realtime streams of the service for browsers and Node, without a dependency.
 */
import type { AnyProfile, ProfileTypes } from '../../core/declare/profile-types.ts'
import { type Api, createApi } from './api.ts'
import { type BridgeFollowing, type BridgeOptions, followBridge } from './bridge-stream.ts'
import { type ClientOptions, contextOf } from './context.ts'
import { LiveStream } from './live-stream.ts'
import { pathOf } from './path.ts'
import { followRun, type RunFollowing, type RunOptions } from './run-stream.ts'
import { canShare } from './tabs.ts'

export type { Api, ApiCallOptions, ApiError, ApiPath, ApiResult } from './api.ts'
export type { Schedule } from './backoff.ts'
export type { BridgeFollowing, BridgeOptions } from './bridge-stream.ts'
export type { ClientOptions } from './context.ts'
export type { StateListener, StopReason, StreamReason, StreamState } from './event-stream.ts'
export type { LiveEvent, LiveListener, LiveState, LiveStream } from './live-stream.ts'
export type { Routes, Schemas } from './routes.ts'
export type { RunEvent, RunMessage } from './run-event.ts'
export type { RunFollowing, RunGap, RunOptions } from './run-stream.ts'

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
 *
 * @example
 * ```ts
 * import { createClient } from 'svc/client'
 *
 * // In a browser `fetch` is left out, and `baseUrl` where the page comes from the service.
 * const fetch = async () => Response.json({ runs: [], next: null })
 * const client = createClient({ baseUrl: 'http://localhost:8787', token: 'a token', fetch })
 * const answer = await client.api.GET('/api/svc/runs')
 * answer.ok && answer.data.runs // → []
 * ```
 */
export function createClient<F extends ProfileTypes = AnyProfile>(options: ClientOptions = {}): Client<F> {
  const { share } = options
  const base = (options.baseUrl ?? '').replace(/\/+$/, '')
  const context = contextOf(options)
  // Tabs of different users must never share a stream: a different token gives a different key.
  const shareKey = async (): Promise<string> => digest(JSON.stringify([base, share ?? (await context.headers())]))
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
