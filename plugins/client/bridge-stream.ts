import { EventStream, type StreamContext, type StreamState } from './event-stream.ts'
import { call, type LiveEvent, parse } from './live-stream.ts'

/** How a local store follows the server. */
export interface BridgeOptions {
  /** A topic starts over: forget its entities, those that it holds come next where `snapshot` says so. */
  readonly onReset: (topic: string, snapshot: boolean) => void
  readonly onEvent: (event: LiveEvent) => void
  /** The store holds what the server holds; from now on events are changes. */
  readonly onReady?: () => void
  /** Reads over REST what the stream would have brought, where the stream cannot be had. */
  readonly fallback?: () => Promise<void>
  /** How old what `fallback` read may be before `fresh` reads again, ms; 30 000 where absent. */
  readonly staleMs?: number
}

/** A store that follows. */
export interface BridgeFollowing {
  /** Whether the stream keeps the store up to date. */
  readonly live: boolean
  /**
   * Resolves when what the store holds may be shown: at once while live, else after a REST read no older than the stale
   * time; calls at the same time share one read. Rejects where that read fails.
   */
  fresh(): Promise<void>
  close(): void
}

/** Opens the bridge. */
export function followBridge(context: StreamContext, url: string, options: BridgeOptions): BridgeFollowing {
  const { onReset, onEvent, onReady, fallback, staleMs = 30_000 } = options
  let live = false
  let readAt = -Infinity
  let reading: Promise<void> | undefined
  const waiting = new Set<() => void>()
  const settle = (): void => {
    for (const resolve of waiting) resolve()
    waiting.clear()
  }
  let state: StreamState = 'connecting'
  const stream = new EventStream(context, {
    url,
    final: [404],
    onState: (now) => {
      state = now
      if (now !== 'open') live = false
      if (now === 'waiting' || now === 'stopped') settle()
    },
    onEvent: ({ data }) => {
      const event = parse<LiveEvent<{ snapshot?: boolean } | null>>(data)
      if (event === undefined) return
      if (event.topic !== '$svc') call(onEvent, event)
      else if (event.operation === 'reset') call(() => onReset(event.identifier, event.data?.snapshot === true))
      else if (event.operation === 'ready') {
        live = true
        call(onReady ?? (() => {}))
        settle()
      }
    },
  })
  const read = (): Promise<void> => {
    if (fallback === undefined || Date.now() - readAt < staleMs) return Promise.resolve()
    reading ??= fallback()
      .then(() => {
        readAt = Date.now()
      })
      .finally(() => {
        reading = undefined
      })
    return reading
  }
  return {
    get live() {
      return live
    },
    fresh: async () => {
      // The first attempt deserves an answer before REST is asked for the same.
      if (!live && (state === 'connecting' || state === 'open'))
        await new Promise<void>((resolve) => waiting.add(resolve))
      if (!live) await read()
    },
    close: () => stream.close(),
  }
}
