import { httpFail } from '../../../core/catalogue.ts'
import { isObject } from '../../../core/is-object.ts'
import type { RunRecord, RunStatus } from '../api.ts'
import { runFail } from '../errors.ts'
import { formatCursor } from '../streams/cursor.ts'
import { Feed } from '../streams/feed.ts'
import { encodeJsonText } from '../streams/sse.ts'
import type { AgUiEvent } from './event-shape.ts'
import { OrderError } from './order/chunk-lanes.ts'
import { LimitError } from './patch/patch-scope.ts'
import { decodeFrame, type PreludeSource, Preludes } from './preludes.ts'
import { RunPoint } from './run-point.ts'
import type { RunNumbers } from './settings.ts'

/** What a run is made with. */
export interface RunOptions extends Omit<PreludeSource, 'ring' | 'base' | 'head'>, Pick<RunNumbers, 'runMaxEvents'> {
  readonly soon: (run: () => void) => void
  readonly record: Pick<RunRecord, 'run_id' | 'thread_id' | 'owner' | 'created_at_ms' | 'epoch'>
  /** When it was made, on the monotonic clock. */
  readonly startedAt: number
}

/** What a run costs that holds nothing yet, in bytes. */
export const runOverhead = 8_192

/** One run: its log, its order, and what a client holds that saw all of it. */
export class Run {
  readonly feed: Feed
  /** Preludes for those who join. */
  readonly preludes: Preludes
  /** When the last event came, and the run's end, on the monotonic clock. */
  touchedAt: number
  /** When it ended, Unix ms; null while it runs. */
  endedAt: number | null = null
  readonly #options: RunOptions
  /** Where the run stands now, and where it stood before the oldest event retained. */
  protected readonly head: RunPoint
  protected readonly base: RunPoint
  #status: RunStatus = 'running'
  /** Called once the first event is there. */
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

  /** The run as the interface shows it. */
  get record(): RunRecord {
    const { base, next } = this.feed.ring
    return {
      ...this.#options.record,
      status: this.#status,
      ended_at_ms: this.endedAt,
      first_seq: base,
      last_seq: next - 1,
    }
  }

  /** About how many bytes it keeps in memory. */
  get bytes(): number {
    return this.feed.ring.bytes + this.head.bytes + this.base.bytes + this.preludes.bytes + runOverhead
  }

  /** Whether its RUN_STARTED was seen: before, nothing but that may be sent to a standard client. */
  get begun(): boolean {
    return this.head.started !== null
  }

  /**
   * Appends checked events, all or none. `date` is Unix ms, `now` the monotonic clock; `work` is how many elements may be
   * touched beyond those that the events bring, and is told what is left.
   * @throws SvcError `run_event_order`, `malformed_request`, `rate_limited`
   */
  append(events: readonly AgUiEvent[], date: number, now: number, work: { left: number }): void {
    // The text is made first: what cannot be written must not be half applied.
    const texts = events.map(toText)
    this.judge(work, () => this.head.append(events))
    const last = events.at(-1)
    this.take(texts, last !== undefined && this.head.order.phase === 'over' ? statusOf(last) : 'running', date, now)
  }

  /** Lets events be applied that may be refused, with a bound on what they may touch. */
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

  /** Takes the texts of events that were applied into the log. */
  protected take(texts: readonly string[], status: RunStatus, date: number | null, now: number): void {
    for (const text of texts) this.feed.push({ bytes: encodeJsonText(text, this.id(this.feed.ring.next)) })
    this.touchedAt = now
    for (const begin of this.#expecting) begin()
    this.#expecting.clear()
    if (status === 'running') return
    this.feed.end()
    this.endedAt = date
    this.#status = status
  }

  /** The oldest event retained is about to go: the base moves behind it. */
  protected onEvict(bytes: Uint8Array, _sequence: number): void {
    this.base.replay(decodeFrame(bytes))
  }

  /** Calls a function once, when the first event is there; the function it gives calls that off. */
  expect(begin: () => void): () => void {
    this.#expecting.add(begin)
    return () => this.#expecting.delete(begin)
  }

  /** About how many bytes a prelude of this run takes. */
  get preludeBytes(): number {
    return this.head.bytes
  }

  /** Names who numbered its events. */
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

/** How a run stands that ends with this event. */
export function statusOf(last: AgUiEvent): RunStatus {
  if (last.type === 'RUN_ERROR') return 'failed'
  return isObject(last.outcome) && last.outcome.type === 'cancelled' ? 'cancelled' : 'finished'
}
