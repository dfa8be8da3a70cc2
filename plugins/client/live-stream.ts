import {
  EventStream,
  type StateListener,
  type StreamContext,
  type StreamReason,
  type StreamState,
} from './event-stream.ts'
import { shareAcrossTabs, type Tab } from './tabs.ts'

/** One change of one entity; topic `$svc` is what the stream says of itself (`lagged`, `reset`, `ready`). */
export interface LiveEvent<Data = unknown> {
  readonly topic: string
  readonly identifier: string
  readonly operation: string
  readonly data: Data
}

/** Hears the events of a topic. */
export type LiveListener<Data = unknown> = (event: LiveEvent<Data>) => void

/** Where the shared stream is; `idle` while nobody listens. */
export type LiveState = StreamState | 'idle'

/** The one stream of entity changes of this client, and of all tabs of its origin. */
export class LiveStream {
  readonly #context: StreamContext
  readonly #url: string
  /** Names whom the tabs share with; null where they do not. */
  readonly #shareKey: (() => Promise<string>) | null
  readonly #listeners = new Map<string, Set<LiveListener>>()
  readonly #watchers = new Set<StateListener<LiveState>>()
  #state: LiveState = 'idle'
  #stream: EventStream | undefined
  #tab: Tab | undefined

  constructor(context: StreamContext, url: string, shareKey: (() => Promise<string>) | null) {
    this.#context = context
    this.#url = url
    this.#shareKey = shareKey
  }

  get state(): LiveState {
    return this.#state
  }

  /**
   * Hears a topic, or `*` for all. The first listener opens the stream; the function it returns takes the listener
   * away, and the last one to go closes the stream and cancels an attempt that was due.
   */
  on<Data = unknown>(topic: string, listener: LiveListener<Data>): () => void {
    // A wrapper of its own, so that a function that listens twice is two listeners.
    const own: LiveListener = (event) => listener(event as LiveEvent<Data>)
    const listeners = this.#listeners.get(topic) ?? new Set()
    listeners.add(own)
    this.#listeners.set(topic, listeners)
    if (this.#tab === undefined && this.#stream === undefined) this.#start()
    return () => {
      if (!listeners.delete(own)) return
      if (listeners.size === 0) this.#listeners.delete(topic)
      if (this.#listeners.size === 0) this.#end()
    }
  }

  /** Hears where the stream is, and why it waits or has stopped. Opened anew, it may have missed changes: the moment to read again what matters. */
  onState(watcher: StateListener<LiveState>): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  #start(): void {
    if (this.#shareKey === null) {
      this.#stream = this.#open(
        (event) => this.#deliver(event),
        (state, reason) => this.#move(state, reason),
      )
      return
    }
    this.#tab = shareAcrossTabs({
      key: this.#shareKey,
      schedule: this.#context.schedule,
      open: (onEvent, onState) => this.#open(onEvent as (event: LiveEvent) => void, onState),
      onEvent: (event) => this.#deliver(event as LiveEvent),
      onState: (state, reason) => this.#move(state, reason),
    })
  }

  #open(onEvent: (event: LiveEvent) => void, onState: StateListener): EventStream {
    return new EventStream(this.#context, {
      url: this.#url,
      onEvent: ({ data }) => {
        const event = parse<LiveEvent>(data)
        if (event !== undefined) onEvent(event)
      },
      onState,
    })
  }

  #end(): void {
    const tab = this.#tab
    const stream = this.#stream
    this.#tab = undefined
    this.#stream = undefined
    tab?.close()
    stream?.close()
    this.#move('idle')
  }

  #move(state: LiveState, reason?: StreamReason): void {
    // What closes after the last listener went is no news.
    if (state === this.#state || (state !== 'idle' && this.#listeners.size === 0)) return
    this.#state = state
    for (const watcher of [...this.#watchers]) call(watcher, state, reason)
  }

  #deliver(event: LiveEvent): void {
    for (const topic of [event.topic, '*']) {
      for (const listener of [...(this.#listeners.get(topic) ?? [])]) call(listener, event)
    }
  }
}

/** Calls a listener; what it throws is its own affair and must not cost the others their event. */
export function call<T extends unknown[]>(listener: (...values: T) => void, ...values: T): void {
  try {
    listener(...values)
  } catch (error) {
    console.error(error)
  }
}

/** The JSON of an event; undefined for what is none, so that one bad line does not end a stream. */
export function parse<T>(data: string): T | undefined {
  try {
    return JSON.parse(data) as T
  } catch {
    return undefined
  }
}
