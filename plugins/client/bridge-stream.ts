import { EventStream, type StreamContext, type StreamState } from './event-stream.ts'
import { call, type LiveEvent, parse } from './live-stream.ts'

/** The callbacks and limits by which a local store follows the server. */
export interface BridgeOptions {
  /** A topic starts over: delete its entities. If `snapshot` is true, its present entities follow as events. */
  readonly onReset: (topic: string, snapshot: boolean) => void
  readonly onEvent: (event: LiveEvent) => void
  /** The store now has the state of the server. Later events are changes. */
  readonly onReady?: () => void
  /** Reads the same data over REST, for times without a stream. */
  readonly fallback?: () => Promise<void>
  /** Age of the last `fallback` read after which `fresh` reads again, in ms; 30 000 if absent. */
  readonly staleMs?: number
}

/** A local store that follows the server. */
export interface BridgeFollowing {
  /** Whether the stream keeps the store up to date. */
  readonly live: boolean
  /**
   * Resolves when the data of the store is fresh: at once while live, else after a REST read that is not older than
   * `staleMs`. Concurrent calls share one read. Rejects if that read fails.
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
      // Wait for the attempt that is under way, because REST would only read the same data.
      if (!live && (state === 'connecting' || state === 'open'))
        await new Promise<void>((resolve) => waiting.add(resolve))
      if (!live) await read()
    },
    close: () => stream.close(),
  }
}
