import { delayMs, retryAfterMs, type Schedule, wait } from './backoff.ts'
import { type ReceivedEvent, SseParser } from './sse-parser.ts'

/** Where a stream is: `waiting` for the next attempt, `stopped` for good. */
export type StreamState = 'connecting' | 'open' | 'waiting' | 'stopped'

/** Why a stream stopped: it is at its end (204), it was refused (401, 403 …), it gave up, it was closed. */
export type StopReason = 'ended' | 'refused' | 'gave-up' | 'closed'

/** What every stream of a client shares. */
export interface StreamContext {
  readonly fetch: typeof fetch
  /** Headers of a request, asked for anew at each attempt, so that a token may change. */
  readonly headers: () => Promise<Record<string, string>>
  readonly schedule: Schedule
  /** Silence after which a connection counts as dead, ms, the wait for an answer too; the server sends something every 15 s. */
  readonly silenceMs: number
}

/** What one stream wants. */
export interface StreamOptions {
  readonly url: string
  /** The cursor to resume from, asked for at each attempt. */
  readonly lastEventId?: () => string | undefined
  readonly onEvent: (event: ReceivedEvent) => void
  readonly onOpen?: (response: Response) => void
  readonly onState?: (state: StreamState) => void
  /** Statuses beside 204, 401 and 403 after which no attempt makes sense. */
  readonly final?: readonly number[]
}

/** An event stream that comes back by itself until it is closed or told not to. */
export class EventStream {
  readonly done: Promise<StopReason>
  readonly #context: StreamContext
  readonly #options: StreamOptions
  #abort = new AbortController()
  #attempts = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #stopped = false
  #resolve!: (reason: StopReason) => void

  constructor(context: StreamContext, options: StreamOptions) {
    this.#context = context
    this.#options = options
    this.done = new Promise((resolve) => {
      this.#resolve = resolve
    })
    void this.#connect()
  }

  /** Closes the connection, or cancels the attempt that was due. */
  close(): void {
    this.#stop('closed')
  }

  #stop(reason: StopReason): void {
    if (this.#stopped) return
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#abort.abort()
    this.#options.onState?.('stopped')
    this.#resolve(reason)
  }

  async #connect(): Promise<void> {
    const abort = new AbortController()
    this.#abort = abort
    this.#options.onState?.('connecting')
    let waitMs = 0
    try {
      // Whatever it waits for, a token too, may never come.
      const gone = new Promise<never>((_resolve, reject) => {
        abort.signal.addEventListener('abort', () => reject(abort.signal.reason as Error))
      })
      this.#listen()
      waitMs = await Promise.race([this.#attempt(abort.signal), gone])
    } catch {
      // A connection that fails, dies or is aborted is all the same: the next attempt decides.
    }
    abort.abort()
    this.#again(waitMs)
  }

  /** One connection, to its end; resolves to how long the server asks to wait, ms. */
  async #attempt(signal: AbortSignal): Promise<number> {
    const { url, lastEventId, onOpen, onState, final } = this.#options
    const headers = await this.#context.headers()
    if (signal.aborted) return 0
    const cursor = lastEventId?.()
    const response = await this.#context.fetch(url, {
      headers: { ...headers, accept: 'text/event-stream', ...(cursor ? { 'last-event-id': cursor } : {}) },
      signal,
      cache: 'no-store',
    })
    if (signal.aborted) return 0
    const { status } = response
    if (status === 204) this.#stop('ended')
    if (status === 401 || status === 403 || final?.includes(status)) this.#stop('refused')
    if (this.#stopped) return 0
    const type = response.headers.get('content-type') ?? ''
    if (status === 200 && response.body && /^text\/event-stream\b/i.test(type)) {
      this.#attempts = 0
      onState?.('open')
      onOpen?.(response)
      await this.#read(response.body, signal)
      return 0
    }
    // Not read to its end, the answer would hold the connection.
    void response.body?.cancel().catch(() => undefined)
    return retryAfterMs(response.headers.get('retry-after'), Date.now())
  }

  async #read(body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void> {
    const reader = body.getReader()
    const parser = new SseParser((event) => {
      if (!signal.aborted) this.#options.onEvent(event)
    })
    for (;;) {
      this.#listen()
      const { done, value } = await reader.read()
      if (done || signal.aborted) return
      parser.push(value)
    }
  }

  /** From now on so long a silence ends the connection. */
  #listen(): void {
    clearTimeout(this.#timer)
    this.#timer = wait(() => this.#abort.abort(), this.#context.silenceMs)
  }

  #again(waitMs: number): void {
    clearTimeout(this.#timer)
    if (this.#stopped) return
    const { schedule } = this.#context
    if (++this.#attempts > schedule.maxAttempts) this.#stop('gave-up')
    else this.#options.onState?.('waiting')
    // A listener may have closed the stream when it heard that.
    if (this.#stopped) return
    this.#timer = wait(() => void this.#connect(), Math.max(delayMs(this.#attempts, schedule), waitMs))
  }
}
