import { EventStream, type StateListener, type StopReason, type StreamContext } from './event-stream.ts'
import { call, parse } from './live-stream.ts'
import type { RunEvent } from './run-event.ts'

/** History that the server no longer has. */
export interface RunGap {
  readonly requested: string
  /** The position before the first event sent, `earliest` for none. */
  readonly resumedAfter: string
}

/** How to follow a run. */
export interface RunOptions {
  /**
   * `id` resumes after this event; undefined within a snapshot. `atMs` is when the service got the event, in Unix ms:
   * with `times`, if the service knows it.
   */
  readonly onEvent: (event: RunEvent, id: string | undefined, atMs: number | undefined) => void
  /** Called before the next event if events were lost. */
  readonly onGap?: (gap: RunGap) => void
  /** Resume after this event. */
  readonly lastEventId?: string
  /** Start with a snapshot that a standard AG-UI client accepts, and send another snapshot after each loss. */
  readonly snapshot?: boolean
  /** Ask for the times at which the service got the events. */
  readonly times?: boolean
  /** Called with each new state of the stream, and the reason for `waiting` and `stopped`. */
  readonly onState?: StateListener
  readonly signal?: AbortSignal
}

/** A run that is being followed. */
export interface RunFollowing {
  /** The last event received. */
  readonly lastEventId: string | undefined
  /** Resolves when the stream stops: the run is over, or the stream was closed, refused or given up. */
  readonly done: Promise<StopReason>
  close(): void
}

/**
 * Follows a run until it ends, and reconnects. No event is lost or repeated while the server has the history of the
 * run.
 */
export function followRun(context: StreamContext, url: string, options: RunOptions): RunFollowing {
  const { onEvent, onGap, onState, snapshot, times, signal } = options
  const query = [snapshot && 'stream_mode=agui_spec', times && 'times=true'].filter(Boolean).join('&')
  let lastEventId = options.lastEventId
  const stream = new EventStream(context, {
    url: query === '' ? url : `${url}?${query}`,
    lastEventId: () => lastEventId,
    final: [400, 404],
    ...(onState && { onState: (state, reason) => call(onState, state, reason) }),
    onEvent: ({ data, id, atMs }) => {
      const event = parse<RunEvent>(data)
      if (event === undefined) return
      if (id !== '') lastEventId = id
      if (event.type === 'CUSTOM' && event.name === 'svc.stream.gap') call(onGap ?? (() => {}), event.value as RunGap)
      call(() => onEvent(event, id === '' ? undefined : id, atMs))
      // The server ends the stream here, too, and would answer another request with 204.
      if (event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR') stream.end()
    },
  })
  signal?.addEventListener('abort', () => stream.close(), { once: true })
  if (signal?.aborted) stream.close()
  return {
    get lastEventId() {
      return lastEventId
    },
    done: stream.done,
    close: () => stream.close(),
  }
}
