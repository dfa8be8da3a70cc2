import { httpFail } from '../../../core/kernel/catalogue.ts'
import { isObject } from '../../../core/kernel/values.ts'
import { cancelled, runFail } from '../errors.ts'
import { formatCursor } from '../streams/cursor.ts'
import { Feed } from '../streams/feed.ts'
import type { Frame } from '../streams/ring.ts'
import { encodeJsonText } from '../streams/sse.ts'
import { decodeFrame, type PreludeSource, Preludes } from './agui-spec/prelude-cache.ts'
import type { RunRecord } from './api.ts'
import type { AgUiEvent } from './event-shape.ts'
import { OrderError } from './order/chunk-lanes.ts'
import { LimitError } from './patch/patch-scope.ts'
import { RunPoint } from './run-point.ts'
import type { RunNumbers } from './settings.ts'

/** What a run needs. */
export interface RunOptions extends Omit<PreludeSource, 'ring' | 'base' | 'head'>, Pick<RunNumbers, 'runMaxEvents'> {
  readonly soon: (run: () => void) => void
  readonly record: Pick<RunRecord, 'run_id' | 'thread_id' | 'owner' | 'created_at_ms' | 'epoch' | 'agent'>
  /** When the run was created, on the monotonic clock. */
  readonly startedAt: number
}

/** How a run ended, or that it goes on. */
type RunEnd = Pick<RunRecord, 'status' | 'error' | 'ended_at_ms'>

const going: RunEnd = { status: 'running', error: null, ended_at_ms: null }

/**
 * Most UTF-16 units of the message of an error in a record. Records of all runs stay in memory, and the log has the
 * whole message.
 */
const MAX_ERROR_CHARS = 512

/** The size of an empty run in bytes. */
export const runOverhead = 8_192

/** One run: its log, its order, and the state of a client that got all of it. */
export class Run {
  readonly feed: Feed
  /** Preludes for readers that join. */
  readonly preludes: Preludes
  /** When the last event came, and the run's end, on the monotonic clock. */
  touchedAt: number
  readonly #options: RunOptions
  /** The present state, and the state before the oldest retained event. */
  protected readonly head: RunPoint
  protected readonly base: RunPoint
  #end: RunEnd = going
  /** Called once, at the first event. */
  readonly #expecting = new Set<() => void>()

  constructor(options: RunOptions) {
    this.#options = options
    this.head = new RunPoint(options.runMaxBytes)
    this.base = new RunPoint(options.runMaxBytes)
    this.touchedAt = options.startedAt
    this.feed = new Feed({
      maxFrames: options.runMaxEvents,
      maxBytes: options.runMaxBytes,
      soon: options.soon,
      log: true,
      onEvict: ({ bytes }, sequence) => this.onEvict(bytes, sequence),
    })
    this.preludes = new Preludes({
      ...options,
      ring: this.feed.ring,
      base: this.base,
      head: this.head,
    })
  }

  /** The run as the API shows it. */
  get record(): RunRecord {
    const { base, next } = this.feed.ring
    return {
      ...this.#options.record,
      ...this.#end,
      first_seq: base,
      last_seq: next - 1,
    }
  }

  /** When the run ended, in Unix milliseconds; null while it runs. */
  get endedAt(): number | null {
    return this.#end.ended_at_ms
  }

  /** About how many bytes of memory the run takes. */
  get bytes(): number {
    return this.feed.ring.bytes + this.head.bytes + this.base.bytes + this.preludes.bytes + runOverhead
  }

  /** Its RUN_STARTED, without the input; null before it. */
  get started(): AgUiEvent | null {
    return this.head.started
  }

  /** Whether the run has its RUN_STARTED. Nothing may be sent to a standard client before that event. */
  get begun(): boolean {
    return this.head.started !== null
  }

  /**
   * Appends checked events, all or none. `date` is Unix ms, `now` the monotonic clock; `work.left` is how many elements
   * may be touched beyond those that the events bring; it is lowered by those that were touched.
   * @throws SvcError `run_event_order`, `malformed_request`, `rate_limited`
   */
  append(events: readonly AgUiEvent[], date: number, now: number, work: { left: number }): void {
    // The texts are made first, so that an event without a text is not half applied.
    const texts = events.map(toText)
    this.judge(work, () => this.head.append(events))
    const last = events.at(-1)
    const isOver = last !== undefined && this.head.order.phase === 'over'
    const end = isOver ? { ...endOf(last), ended_at_ms: date } : going
    this.take(
      texts,
      texts.map(() => date),
      end,
      now,
    )
  }

  /** Applies events that may be refused, with a limit on the elements that they may touch. */
  protected judge(work: { left: number }, apply: () => void): void {
    const { scope } = this.head.document
    scope.work = work.left
    try {
      apply()
    } catch (error) {
      if (error instanceof OrderError)
        throw runFail('run_event_order', { message: `This event may not follow here: ${error.message}.` })
      throw error instanceof LimitError ? refusals[error.kind]() : error
    } finally {
      work.left = scope.work
    }
  }

  /** Adds the texts of applied events to the log, each with the time at which the service got it. */
  protected take(
    texts: readonly string[],
    times: readonly Frame['atMs'][],
    { status, error, ended_at_ms }: RunEnd,
    now: number,
  ): void {
    for (const [index, text] of texts.entries())
      this.feed.push({ bytes: encodeJsonText(text, this.id(this.feed.ring.next)), atMs: times[index] })
    if (texts.length > 0) this.touchedAt = now
    for (const begin of this.#expecting) begin()
    this.#expecting.clear()
    if (status === 'running') return
    this.feed.end()
    this.#end = { status, error, ended_at_ms }
  }

  /** Moves the base behind the oldest retained event, which is about to be removed. */
  protected onEvict(bytes: Uint8Array, _sequence: number): void {
    this.base.replay(decodeFrame(bytes))
  }

  /** Calls a function once, at the first event. The returned function cancels that. */
  expect(begin: () => void): () => void {
    this.#expecting.add(begin)
    return () => this.#expecting.delete(begin)
  }

  /** About how many bytes a prelude of this run takes. */
  get preludeBytes(): number {
    return this.head.bytes
  }

  /** The epoch of its sequences. */
  get epoch(): string {
    return this.#options.record.epoch
  }

  /** The `id` of an event of this run. */
  id(sequence: number): string {
    return formatCursor(this.epoch, sequence)
  }
}

const refusals = {
  size: () => httpFail('malformed_request', { message: 'The run would hold more than it may.' }),
  work: () => httpFail('rate_limited', { message: 'Events touch much of a large run too fast.' }),
}

/** The JSON text of an event. @throws SvcError `malformed_request` */
export function toText(event: AgUiEvent): string {
  try {
    return JSON.stringify(event)
  } catch (cause) {
    throw httpFail('malformed_request', { message: 'An event is not JSON.', cause })
  }
}

/** How a run ends with this event. */
export function endOf(last: AgUiEvent): Pick<RunEnd, 'status' | 'error'> {
  const { type, code = null, message, outcome } = last
  if (type === 'RUN_ERROR' && code !== cancelled.code) {
    // Half a character at the end would be no UTF-8.
    const beginning = (message as string).slice(0, MAX_ERROR_CHARS).replace(/\p{Cs}$/u, '')
    const error = { code: code as string | null, message: beginning }
    return { status: 'failed', error }
  }
  const isCancelled = type === 'RUN_ERROR' || (isObject(outcome) && outcome.type === 'cancelled')
  return { status: isCancelled ? 'cancelled' : 'finished', error: null }
}
