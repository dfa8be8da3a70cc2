/** Reads the runs of a thread for one subscriber, through lost connections. */
import { type BaseEvent, EventType, type RunErrorEvent } from '@ag-ui/client'
import { decodeBase64url, encodeBase64url } from '../../../core/kernel/base64url.ts'
import { EventStream, type StreamContext, type StreamReason } from '../event-stream.ts'
import { parse } from '../live-stream.ts'
import { pathOf } from '../path.ts'
import type { ReceivedEvent } from '../sse-parser.ts'

/** The subscriber of an Observable. */
export interface Observer {
  next(event: BaseEvent): void
  error(error: unknown): void
  complete(): void
}

/** What is read. */
export interface Reading {
  readonly context: StreamContext
  readonly base: string
  readonly threadId: string
  /** The call that makes a run; absent if runs of others are joined. */
  readonly call?: { readonly url: string; readonly body: () => string; readonly runId: string }
  /** The position to begin after. */
  readonly cursor?: string | undefined
  /** Whether the reading ends with the first run that ends. */
  readonly one: boolean
  readonly observer: Observer
  /** Called with each run that begins (true) or has ended (false), and the position of the event. */
  readonly onRun: (isOpen: boolean, cursor: string) => void
}

/** Refusals after which the service is not asked again; beside 401 and 403. */
const FINAL = [400, 404, 405, 409, 413, 415, 422]

/**
 * Longest wait in milliseconds for the end of a run that was cancelled. Later the run ends here, whatever the service
 * does.
 */
const CANCEL_LIMIT_MS = 5_000

/**
 * Pauses in milliseconds between attempts to cancel a run: the service may not have it yet, or be away for a moment.
 */
const CANCEL_PAUSES_MS = [100, 300, 1_000, 3_000]

const CANCELLED = 'svc.run.cancelled'

/**
 * Why the service refuses a stream.
 *
 * @example
 * ```ts
 * import { ServiceError, SvcAgent } from 'svc/ag-ui'
 *
 * // A service that has no such agent.
 * const fetch = async () => Response.json({ error: { code: 'agent_not_found', message: 'None.' } }, { status: 404 })
 * const agent = new SvcAgent({ baseUrl: 'http://localhost:8787', agent: 'cook', token: 'a token', fetch })
 * const failure = await agent.runAgent().catch((error: unknown) => error)
 * failure instanceof ServiceError // → true
 * ```
 */
export class ServiceError extends Error {
  /** Status of the response, if there was one. */
  readonly status: number | undefined
  /** Error code of the service, such as `agent_not_found`. */
  readonly code: string | undefined

  constructor({ text, status, code }: StreamReason) {
    super(`The service refused: ${text}`)
    this.name = 'ServiceError'
    this.status = status
    this.code = code
  }
}

/** One reading. It begins at once. */
export class ThreadReader {
  readonly #reading: Reading
  readonly #stream: EventStream
  #cursor: string | undefined
  /**
   * Events without an id of their own. They count with the next event that has one, so that a cut prelude is not half
   * delivered.
   */
  #held: BaseEvent[] = []
  /** The id of the last event of this connection that has one. */
  #lastId = ''
  /** Whether the subscriber has got the beginning of a run and not its end. */
  #isOpen = false
  #isOver = false
  #why: StreamReason = { text: 'no connection' }
  #isCancelled = false
  #limit: ReturnType<typeof setTimeout> | undefined

  constructor(reading: Reading) {
    this.#reading = reading
    this.#cursor = reading.cursor
    const { context, base, threadId, call } = reading
    this.#stream = new EventStream(
      { ...context, fetch: call === undefined ? context.fetch : (url, init = {}) => this.#fetch(url, init) },
      {
        url: base + pathOf('/api/svc/threads/{thread_id}/stream', { thread_id: threadId }),
        lastEventId: () => this.#cursor,
        final: FINAL,
        onOpen: () => {
          this.#held = []
          this.#lastId = ''
        },
        onEvent: (event) => this.#take(event),
        onState: (_state, reason) => {
          this.#why = reason ?? this.#why
        },
      },
    )
    void this.#stream.done.then((reason) => {
      if (reason === 'closed') return
      if (this.#isCancelled) this.#endHere()
      else this.#end(() => reading.observer.error(new ServiceError(this.#why)))
    })
  }

  /** Stops reading. The run goes on. */
  close(): void {
    this.#end(() => {})
  }

  /** Cancels the run that is open. A reading of one run ends with it, at the latest after 5 s. */
  cancel(): void {
    const { call, one } = this.#reading
    const runId = this.#isOpen || call === undefined ? this.#runId : call.runId
    if (this.#isOver || this.#isCancelled || runId === undefined || (call === undefined && !this.#isOpen)) return
    if (one) {
      this.#isCancelled = true
      this.#limit = setTimeout(() => this.#endHere(), CANCEL_LIMIT_MS)
    }
    void this.#cancel(runId)
  }

  /** The run of the last event. */
  get #runId(): string | undefined {
    const name = this.#cursor?.split('.')[1]
    return name === undefined ? undefined : new TextDecoder().decode(decodeBase64url(name) ?? undefined)
  }

  /** Makes the run with the first request; if nothing came of it, the same request again joins the run. */
  async #fetch(url: Parameters<typeof fetch>[0], init: RequestInit): Promise<Response> {
    const { context, call } = this.#reading
    if (this.#cursor !== undefined || call === undefined) return context.fetch(url, init)
    const headers = { ...(init.headers as Record<string, string>), 'content-type': 'application/json' }
    return context.fetch(call.url, { ...init, headers, method: 'POST', body: call.body() })
  }

  #take({ data, id }: ReceivedEvent): void {
    const event = parse<BaseEvent>(data)
    if (event === undefined) return
    this.#held.push(event)
    if (id === '' || id === this.#lastId) return
    this.#lastId = id
    const { call } = this.#reading
    // The stream of the call is that of its run, whose ids do not name it.
    this.#cursor = id.includes('.') || call === undefined ? id : `${id}.${encodeBase64url(encoder.encode(call.runId))}`
    for (const held of this.#held.splice(0)) if (!this.#isOver) this.#deliver(held, this.#cursor)
  }

  #deliver(event: BaseEvent, cursor: string): void {
    const { observer, one, onRun } = this.#reading
    const type: string = event.type
    if (type === 'RUN_STARTED') {
      // A client takes no second beginning while a run is open. What was lost of it is in the prelude that follows.
      if (this.#isOpen) observer.next(error('svc.stream.gap', 'Events of this run were lost; the thread goes on.'))
      this.#isOpen = true
      onRun(true, cursor)
    }
    const isEnd = type === 'RUN_FINISHED' || type === 'RUN_ERROR'
    if (isEnd) {
      this.#isOpen = false
      onRun(false, cursor)
    }
    observer.next(event)
    if (isEnd && one) this.#end(() => observer.complete())
  }

  /** Ends a cancelled run here. */
  #endHere(): void {
    const { observer } = this.#reading
    this.#end(() => {
      observer.next(error(CANCELLED, 'The run was cancelled.'))
      observer.complete()
    })
  }

  #end(last: () => void): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#limit)
    this.#stream.close()
    last()
  }

  async #cancel(runId: string): Promise<void> {
    const { context, base } = this.#reading
    const url = base + pathOf('/api/svc/runs/{run_id}/cancel', { run_id: runId })
    for (const pauseMs of [...CANCEL_PAUSES_MS, 0]) {
      try {
        const { ok, status } = await context.fetch(url, { method: 'POST', headers: await context.headers() })
        if (ok || status === 401 || status === 403) return
      } catch {
        // The service may be back at the next attempt.
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

const encoder = new TextEncoder()

function error(code: string, message: string): RunErrorEvent {
  return { type: EventType.RUN_ERROR, code, message }
}
