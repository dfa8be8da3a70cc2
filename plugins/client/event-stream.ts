import { delayMs, retryAfterMs, type Schedule, wait } from './backoff.ts'
import { type ReceivedEvent, SseParser } from './sse-parser.ts'

/** The state of a stream: `waiting` for the next attempt, `stopped` for good. */
export type StreamState = 'connecting' | 'open' | 'waiting' | 'stopped'

/**
 * Why a stream stopped: `ended` (status 204, or its last event), `refused` (401, 403 …), `gave-up` (too many failed
 * attempts), `closed` (by the caller).
 */
export type StopReason = 'ended' | 'refused' | 'gave-up' | 'closed'

/** Why a stream waits or has stopped. */
export interface StreamReason {
  /** One line for people: `401 token_expired`, `closed by the caller`, or the message of the error. */
  readonly text: string
  /** The status of the response, if the server refused the stream or the stream is at its end. */
  readonly status?: number
  /** The error code of the response, if it has one. */
  readonly code?: string
}

/** Called with each new state of a stream. `reason` is given with `waiting` and `stopped`. */
export type StateListener<State = StreamState> = (state: State, reason?: StreamReason) => void

/** Number of bytes that are parsed between two looks at the clock. */
const PIECE_BYTES = 16_384
/** How long a stream parses before the page may draw a frame, in ms. */
const TURN_MS = 6
/** Longest wait for a frame of the page, in ms. */
const FRAME_LIMIT_MS = 100

/** What all streams of a client share. */
export interface StreamContext {
  readonly fetch: typeof fetch
  /** Headers of a request. Called at each attempt, because the token may have changed. */
  readonly headers: () => Promise<Record<string, string>>
  readonly schedule: Schedule
  /**
   * Silence after which a connection counts as dead, in ms; also the longest wait for a response. The server sends
   * every 15 s.
   */
  readonly silenceMs: number
}

/** Options of one stream. */
export interface StreamOptions {
  readonly url: string
  /** Returns the cursor to resume from. Called at each attempt. */
  readonly lastEventId?: () => string | undefined
  readonly onEvent: (event: ReceivedEvent) => void
  readonly onOpen?: (response: Response) => void
  readonly onState?: StateListener
  /** Statuses beside 204, 401 and 403 after which the stream makes no further attempt. */
  readonly final?: readonly number[]
}

/** An event stream that reconnects until it is closed, ended or refused, or until too many attempts have failed. */
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

  /** Closes the connection, or cancels the next attempt. */
  close(): void {
    this.#stop('closed', { text: 'closed by the caller' })
  }

  /** Closes the connection after the last event. */
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
      // The token or the response may never arrive.
      const gone = new Promise<never>((_resolve, reject) => {
        abort.signal.addEventListener('abort', () => reject(abort.signal.reason as Error))
      })
      this.#listen()
      waitMs = await Promise.race([this.#attempt(abort.signal), gone])
    } catch (error) {
      // A failed, lost or aborted connection leads to the next attempt in the same way.
      this.#why = { text: error instanceof Error ? error.message : String(error) }
    }
    abort.abort()
    this.#again(waitMs)
  }

  /** Runs one connection to its end. Resolves to the delay that the server asks for, in ms. */
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
    // After an abort the reason is the abort, not this response.
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

  /** Restarts the timer that aborts a silent connection. */
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
    // The state listener may have closed the stream.
    if (this.#stopped) return
    this.#timer = wait(() => void this.#connect(), Math.max(delayMs(this.#attempts, schedule), waitMs))
  }
}

/**
 * Yields to the event loop: resolves in the next frame of a visible page. A hidden page has no frames, and browsers
 * delay its timers, so that a message to itself is used there.
 */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof document === 'object' && !document.hidden) {
      requestAnimationFrame(() => resolve())
      // The page may become hidden before that frame.
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

/**
 * The reason in a response that is not a stream. Its body is read to the end or cancelled, which frees the connection.
 */
async function explain(response: Response, type: string): Promise<StreamReason> {
  const { status } = response
  try {
    if (!/^application\/json\b/i.test(type)) await response.body?.cancel()
    else {
      const { error } = (await response.json()) as { error?: { code?: unknown } }
      if (typeof error?.code === 'string') return { text: `${status} ${error.code}`, status, code: error.code }
    }
  } catch {
    // The status alone is the reason.
  }
  return { text: `${status}`, status }
}
