import { delayMs, type Schedule, wait } from './backoff.ts'
import type { EventStream, StateListener, StreamReason, StreamState } from './event-stream.ts'

/** What the tabs of one origin share a stream with. */
export interface SharedStream {
  /** Names the stream; tabs that give another name do not share with this one. */
  readonly key: () => Promise<string>
  /** How long to wait where the name cannot be had. */
  readonly schedule: Schedule
  /** Opens the real stream: called in the one tab that leads. */
  readonly open: (onEvent: (event: unknown) => void, onState: StateListener) => EventStream
  readonly onEvent: (event: unknown) => void
  readonly onState: StateListener
}

/** This tab's part in it. */
export interface Tab {
  /** Leaves; where this tab led, another takes over. */
  close(): void
}

type Note =
  | { readonly event: unknown }
  | { readonly state: StreamState; readonly reason?: StreamReason | undefined }
  | { readonly ask: true }

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
      else if ('state' in data) onState(data.state, data.reason)
    }
  }

  const lead = (to: BroadcastChannel): Promise<void> => {
    let last: Extract<Note, { state: unknown }> = { state: 'connecting' }
    const tell = (note: Note): void => {
      if (!gone.signal.aborted) to.postMessage(note)
    }
    const stream = open(
      (event) => {
        tell({ event })
        onEvent(event)
      },
      (state, reason) => {
        last = { state, reason }
        tell(last)
        onState(state, reason)
        if (state === 'stopped') release()
      },
    )
    to.onmessage = ({ data }: MessageEvent<Note>) => {
      if ('ask' in data) tell(last)
    }
    return new Promise((resolve) => {
      release = () => {
        release = () => {}
        stream.close()
        follow(to)
        resolve()
      }
      if (last.state === 'stopped') release()
    })
  }

  /** Asks for the name until it is there: what gives the token may fail once. */
  const named = async (): Promise<string> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await key()
      } catch (error) {
        if (gone.signal.aborted) throw error
        const text = error instanceof Error ? error.message : String(error)
        if (attempt > schedule.maxAttempts) {
          onState('stopped', { text: `gave up: ${text}` })
          throw error
        }
        onState('waiting', { text })
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
