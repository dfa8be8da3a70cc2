import { delayMs, type Schedule, wait } from './backoff.ts'
import type { EventStream, StateListener, StreamReason, StreamState } from './event-stream.ts'

/** How the tabs of one origin share a stream. */
export interface SharedStream {
  /** Returns the key of the stream. Tabs with different keys do not share a stream. */
  readonly key: () => Promise<string>
  /** The delays after which `key` is called again if it fails. */
  readonly schedule: Schedule
  /** Opens the real stream. Called in the tab that leads. */
  readonly open: (onEvent: (event: unknown) => void, onState: StateListener) => EventStream
  readonly onEvent: (event: unknown) => void
  readonly onState: StateListener
}

/** This tab's part in a shared stream. */
export interface Tab {
  /** Leaves the shared stream. If this tab leads, another tab takes over. */
  close(): void
}

type Note =
  | { readonly event: unknown }
  | { readonly state: StreamState; readonly reason?: StreamReason | undefined }
  | { readonly ask: true }

/** Whether the platform can share streams: it has Web Locks, a BroadcastChannel and a document. */
export function canShare(): boolean {
  return typeof BroadcastChannel === 'function' && typeof document === 'object' && navigator.locks !== undefined
}

/**
 * One connection for all tabs. The tab that holds the Web Lock leads, and sends what it receives to the others over a
 * BroadcastChannel. A tab that closes, crashes or is refused gives up the lock, and the next tab opens the stream with
 * its own credential.
 */
export function shareAcrossTabs(shared: SharedStream): Tab {
  const gone = new AbortController()
  const state: TabState = { gone: gone.signal, release: () => {} }
  let channel: BroadcastChannel | undefined

  const join = async (): Promise<void> => {
    const name = `svc.live.${await nameOf(shared, state)}`
    if (gone.signal.aborted) return
    const to = new BroadcastChannel(name)
    channel = to
    follow(to, shared)
    to.postMessage({ ask: true } satisfies Note)
    await navigator.locks.request(name, { signal: gone.signal }, () =>
      gone.signal.aborted ? undefined : lead(to, shared, state),
    )
  }
  // A failure here was caused by `close`, or was reported as `stopped`.
  join().catch(() => undefined)

  return {
    close: () => {
      gone.abort()
      clearTimeout(state.timer)
      state.release()
      channel?.close()
    },
  }
}

/** The state of one tab. */
interface TabState {
  readonly gone: AbortSignal
  /** The wait before the next attempt. */
  timer?: ReturnType<typeof setTimeout>
  /** Gives up the lock. Does nothing in a tab that does not lead. */
  release: () => void
}

function follow(to: BroadcastChannel, { onEvent, onState }: SharedStream): void {
  to.onmessage = ({ data }: MessageEvent<Note>) => {
    if ('event' in data) onEvent(data.event)
    else if ('state' in data) onState(data.state, data.reason)
  }
}

/** Opens the stream and shares it; resolves when this tab gives up the lock. */
function lead(to: BroadcastChannel, shared: SharedStream, tab: TabState): Promise<void> {
  let last: Extract<Note, { state: unknown }> = { state: 'connecting' }
  const send = (note: Note): void => {
    if (!tab.gone.aborted) to.postMessage(note)
  }
  const stream = shared.open(
    (event) => {
      send({ event })
      shared.onEvent(event)
    },
    (state, reason) => {
      last = { state, reason }
      send(last)
      shared.onState(state, reason)
      if (state === 'stopped') tab.release()
    },
  )
  to.onmessage = ({ data }: MessageEvent<Note>) => {
    if ('ask' in data) send(last)
  }
  return new Promise((resolve) => {
    tab.release = () => {
      tab.release = () => {}
      stream.close()
      follow(to, shared)
      resolve()
    }
    if (last.state === 'stopped') tab.release()
  })
}

/** The name of the stream. Asks again after a failure, since the function that supplies the token may fail once. */
async function nameOf({ key, schedule, onState }: SharedStream, tab: TabState): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await key()
    } catch (error) {
      if (tab.gone.aborted) throw error
      const text = error instanceof Error ? error.message : String(error)
      if (attempt > schedule.maxAttempts) {
        onState('stopped', { text: `gave up: ${text}` })
        throw error
      }
      onState('waiting', { text })
      await new Promise<void>((resolve) => {
        tab.timer = wait(resolve, delayMs(attempt, schedule))
      })
    }
  }
}
