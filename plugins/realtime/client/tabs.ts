import { delayMs, type Schedule, wait } from './backoff.ts'
import type { EventStream, StreamState } from './event-stream.ts'

/** What the tabs of one origin share a stream with. */
export interface SharedStream {
  /** Names the stream; tabs that give another name do not share with this one. */
  readonly key: () => Promise<string>
  /** How long to wait where the name cannot be had. */
  readonly schedule: Schedule
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
 * closes, crashes, or is refused gives up the lock, and the next one opens the stream with a credential of its own.
 */
export function shareAcrossTabs({ key, schedule, open, onEvent, onState }: SharedStream): Tab {
  const gone = new AbortController()
  let channel: BroadcastChannel | undefined
  let release = (): void => {}
  let timer: ReturnType<typeof setTimeout> | undefined

  const follow = (to: BroadcastChannel): void => {
    to.onmessage = ({ data }: MessageEvent<Note>) => {
      if ('event' in data) onEvent(data.event)
      else if ('state' in data) onState(data.state)
    }
  }

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
        if (state === 'stopped') release()
      },
    )
    to.onmessage = ({ data }: MessageEvent<Note>) => {
      if ('ask' in data) tell({ state: last })
    }
    return new Promise((resolve) => {
      release = () => {
        release = () => {}
        stream.close()
        follow(to)
        resolve()
      }
      if (last === 'stopped') release()
    })
  }

  /** Asks for the name until it is there: what gives the token may fail once. */
  const named = async (): Promise<string> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await key()
      } catch (error) {
        if (gone.signal.aborted) throw error
        onState(attempt > schedule.maxAttempts ? 'stopped' : 'waiting')
        if (attempt > schedule.maxAttempts) throw error
        await new Promise<void>((resolve) => {
          timer = wait(resolve, delayMs(attempt, schedule))
        })
      }
    }
  }

  const join = async (): Promise<void> => {
    const name = `svc.live.${await named()}`
    if (gone.signal.aborted) return
    const to = new BroadcastChannel(name)
    channel = to
    follow(to)
    to.postMessage({ ask: true } satisfies Note)
    await navigator.locks.request(name, { signal: gone.signal }, () => (gone.signal.aborted ? undefined : lead(to)))
  }
  // What fails here is called off, or has given up.
  join().catch(() => undefined)

  return {
    close: () => {
      gone.abort()
      clearTimeout(timer)
      release()
      channel?.close()
    },
  }
}
