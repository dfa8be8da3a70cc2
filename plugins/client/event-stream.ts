import { delayMs, retryAfterMs, type Schedule, wait } from './backoff.ts'
import { type ReceivedEvent, SseParser } from './sse-parser.ts'

/** Where a stream is: `waiting` for the next attempt, `stopped` for good. */
export type StreamState = 'connecting' | 'open' | 'waiting' | 'stopped'

/** Why a stream stopped: it is at its end (204), it was refused (401, 403 …), it gave up, it was closed. */
export type StopReason = 'ended' | 'refused' | 'gave-up' | 'closed'

/** Why a stream waits, or has stopped. */
export interface StreamReason {
  /** One line for people: `401 token_expired`, `closed by the caller`, or what failed. */
  readonly text: string
  /** The status that the server answered with, where it refused or is at its end. */
  readonly status?: number
  /** The code of its error, where it gave one. */
  readonly code?: string
}

/** Hears where a stream is; `reason` comes with `waiting` and `stopped`. */
export type StateListener<State = StreamState> = (state: State, reason?: StreamReason) => void

/** Bytes that are read in one piece. */
const PIECE_BYTES = 16_384
/** How long a stream keeps the event loop before a page may draw a frame, ms. */
const TURN_MS = 6
/** How long a stream waits for that frame, ms. */
const FRAME_LIMIT_MS = 100

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
  readonly onState?: StateListener
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
  #why: StreamReason = ended
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
    this.#stop('closed', { text: 'closed by the caller' })
  }

  /** The same, for one who knows that nothing more comes. */
  end(): void {
    this.#stop('ended', { text: 'at its end' })
  }

  #stop(reason: StopReason, why: StreamReason): void {
    if (this.#stopped) return
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#abort.abort()
    this.#options.onState?.('stopped', why)
    this.#resolve(reason)
  }

  async #connect(): Promise<void> {
    const abort = new AbortController()
    this.#abort = abort
    this.#options.onState?.('connecting')
    this.#why = ended
    let waitMs = 0
    try {
      // Whatever it waits for, a token too, may never come.
      const gone = new Promise<never>((_resolve, reject) => {
        abort.signal.addEventListener('abort', () => reject(abort.signal.reason as Error))
      })
      this.#listen()
      waitMs = await Promise.race([this.#attempt(abort.signal), gone])
    } catch (error) {
      // A connection that fails, dies or is aborted is all the same: the next attempt decides.
      this.#why = { text: error instanceof Error ? error.message : String(error) }
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
    if (status === 204) this.#stop('ended', { text: 'at its end', status })
    if (this.#stopped) return 0
    const type = response.headers.get('content-type') ?? ''
    if (status === 200 && response.body && /^text\/event-stream\b/i.test(type)) {
      this.#attempts = 0
      onState?.('open')
      onOpen?.(response)
      await this.#read(response.body, signal)
      return 0
    }
    const why = await explain(response, type)
    if (status === 401 || status === 403 || final?.includes(status)) this.#stop('refused', why)
    // Given up meanwhile, it is not what the next attempt waits for.
    if (!signal.aborted) this.#why = why
    return retryAfterMs(response.headers.get('retry-after'), Date.now())
  }

  async #read(body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void> {
    const reader = body.getReader()
    const parser = new SseParser((event) => {
      if (!signal.aborted) this.#options.onEvent(event)
    })
    let turnMs = performance.now()
    for (;;) {
      this.#listen()
      const { done, value } = await reader.read()
      if (done || signal.aborted) return
      for (let from = 0; from < value.length; from += PIECE_BYTES) {
        parser.push(value.subarray(from, from + PIECE_BYTES))
        if (performance.now() - turnMs < TURN_MS) continue
        await nextTurn()
        if (signal.aborted) return
        turnMs = performance.now()
      }
    }
  }

  /** From now on so long a silence ends the connection. */
  #listen(): void {
    clearTimeout(this.#timer)
    const { silenceMs } = this.#context
    this.#timer = wait(() => this.#abort.abort(new Error(`nothing came for ${silenceMs} ms`)), silenceMs)
  }

  #again(waitMs: number): void {
    clearTimeout(this.#timer)
    if (this.#stopped) return
    const { schedule } = this.#context
    if (++this.#attempts > schedule.maxAttempts)
      this.#stop('gave-up', { ...this.#why, text: `gave up: ${this.#why.text}` })
    else this.#options.onState?.('waiting', this.#why)
    // A listener may have closed the stream when it heard that.
    if (this.#stopped) return
    this.#timer = wait(() => void this.#connect(), Math.max(delayMs(this.#attempts, schedule), waitMs))
  }
}

/**
 * Lets the event loop go on: resolves in the next frame of a visible page. A hidden page has no frames, and the browser delays its
 * timers, so a message is sent and received instead.
 */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof document === 'object' && !document.hidden) {
      requestAnimationFrame(() => resolve())
      // It may be hidden before that frame.
      setTimeout(resolve, FRAME_LIMIT_MS)
    } else if (typeof MessageChannel === 'function') {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        port1.close()
        resolve()
      }
      port2.postMessage(null)
    } else setTimeout(resolve)
  })
}

const ended: StreamReason = { text: 'the connection ended' }

/** What an answer says that is no stream; it is read to its end, or given up, so that it holds no connection. */
async function explain(response: Response, type: string): Promise<StreamReason> {
  const { status } = response
  try {
    if (!/^application\/json\b/i.test(type)) await response.body?.cancel()
    else {
      const { error } = (await response.json()) as { error?: { code?: unknown } }
      if (typeof error?.code === 'string') return { text: `${status} ${error.code}`, status, code: error.code }
    }
  } catch {
    // Then the status has to say it.
  }
  return { text: `${status}`, status }
}
