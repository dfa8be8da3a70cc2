import type { EventStream, StreamState } from './event-stream.ts'

/** What the tabs of one origin share a stream with. */
export interface SharedStream {
  /** Names the stream; tabs that give another name do not share with this one. */
  readonly key: () => Promise<string>
  /** Opens the real stream: called in the one tab that leads. */
  readonly open: (onEvent: (event: unknown) => void, onState: (state: StreamState) => void) => EventStream
  readonly onEvent: (event: unknown) => void
  readonly onState: (state: StreamState) => void
}

/** This tab's part in it. */
export interface Tab {
  /** Leaves; where this tab led, another takes over. */
  close(): void
}

type Note = { readonly event: unknown } | { readonly state: StreamState } | { readonly ask: true }

/** Whether the platform has what sharing takes. */
export function canShare(): boolean {
  return typeof BroadcastChannel === 'function' && typeof document === 'object' && navigator.locks !== undefined
}

/**
 * One connection for all tabs: who holds the Web Lock leads, and tells the others over a BroadcastChannel. A tab that
 * closes, or crashes, gives up the lock, and the next one opens the stream.
 */
export function shareAcrossTabs({ key, open, onEvent, onState }: SharedStream): Tab {
  const gone = new AbortController()
  let channel: BroadcastChannel | undefined
  let release = (): void => {}

  const lead = (to: BroadcastChannel): Promise<void> => {
    let last: StreamState = 'connecting'
    const tell = (note: Note): void => {
      if (!gone.signal.aborted) to.postMessage(note)
    }
    const stream = open(
      (event) => {
        tell({ event })
        onEvent(event)
      },
      (state) => {
        last = state
        tell({ state })
        onState(state)
      },
    )
    to.onmessage = ({ data }: MessageEvent<Note>) => {
      if ('ask' in data) tell({ state: last })
    }
    return new Promise((resolve) => {
      release = () => {
        stream.close()
        resolve()
      }
    })
  }

  const join = async (): Promise<void> => {
    const name = `svc.live.${await key()}`
    if (gone.signal.aborted) return
    const to = new BroadcastChannel(name)
    channel = to
    to.onmessage = ({ data }: MessageEvent<Note>) => {
      if ('event' in data) onEvent(data.event)
      else if ('state' in data) onState(data.state)
    }
    to.postMessage({ ask: true } satisfies Note)
    await navigator.locks.request(name, { signal: gone.signal }, () => (gone.signal.aborted ? undefined : lead(to)))
  }
  // Only the wait for the lock can fail, by being called off.
  join().catch(() => undefined)

  return {
    close: () => {
      gone.abort()
      release()
      channel?.close()
    },
  }
}
