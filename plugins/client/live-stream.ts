import {
  EventStream,
  type StateListener,
  type StreamContext,
  type StreamReason,
  type StreamState,
} from './event-stream.ts'
import { shareAcrossTabs, type Tab } from './tabs.ts'

/** One change of one entity. Events of topic `$svc` are about the stream itself (`lagged`, `reset`, `ready`). */
export interface LiveEvent<Data = unknown> {
  readonly topic: string
  readonly identifier: string
  readonly operation: string
  readonly data: Data
}

/** Called with each event of a topic. */
export type LiveListener<Data = unknown> = (event: LiveEvent<Data>) => void

/** The state of the shared stream; `idle` without listeners. */
export type LiveState = StreamState | 'idle'

/** The stream of entity changes of this client, which may be shared by the tabs of its origin. */
export class LiveStream {
  readonly #context: StreamContext
  readonly #url: string
  /** Returns the key that tabs with the same stream have in common; null if tabs share no stream. */
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
   * Adds a listener of a topic, or of all topics with `*`. The first listener opens the stream. The returned function
   * removes the listener; without listeners the stream is closed, and a pending attempt is cancelled.
   */
  on<Data = unknown>(topic: string, listener: LiveListener<Data>): () => void {
    // One wrapper per call, so that a function that is added twice counts as two listeners.
    const wrapper: LiveListener = (event) => listener(event as LiveEvent<Data>)
    const listeners = this.#listeners.get(topic) ?? new Set()
    listeners.add(wrapper)
    this.#listeners.set(topic, listeners)
    if (this.#tab === undefined && this.#stream === undefined) this.#start()
    return () => {
      if (!listeners.delete(wrapper)) return
      if (listeners.size === 0) this.#listeners.delete(topic)
      if (this.#listeners.size === 0) this.#end()
    }
  }

  /**
   * Adds a listener of the state, with the reason for `waiting` and `stopped`. Each time the stream is `open` again,
   * changes may have been missed, and a caller reads its data again.
   */
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
    // After the last listener is removed, only `idle` is reported.
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

/** Calls a listener. Its error is logged, so that the other listeners still get the event. */
export function call<T extends unknown[]>(listener: (...values: T) => void, ...values: T): void {
  try {
    listener(...values)
  } catch (error) {
    console.error(error)
  }
}

/** Parses the JSON of an event. Returns undefined for invalid JSON, so that one bad event does not end the stream. */
export function parse<T>(data: string): T | undefined {
  try {
    return JSON.parse(data) as T
  } catch {
    return undefined
  }
}
