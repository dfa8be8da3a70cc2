import { httpFail } from '../../../core/catalogue.ts'
import type { RunRecord, RunStatus } from '../api.ts'
import { runFail } from '../errors.ts'
import { isObject } from '../is-object.ts'
import { formatCursor } from '../streams/cursor.ts'
import { Feed } from '../streams/feed.ts'
import { frameOverhead } from '../streams/ring.ts'
import { encodeJsonText } from '../streams/sse.ts'
import { OrderError } from './chunk-lanes.ts'
import type { AgUiEvent } from './event-shape.ts'
import { encodePrelude, preludeEvents } from './prelude.ts'
import { RunPoint } from './run-point.ts'

/** What a run is made with. */
export interface RunOptions {
  readonly record: Pick<RunRecord, 'run_id' | 'thread_id' | 'owner' | 'created_at_ms' | 'epoch'>
  /** Most events and bytes retained. */
  readonly maxEvents: number
  readonly maxBytes: number
  readonly soon: (run: () => void) => void
}

/** One run: its log, its order, and what a client holds that saw all of it. */
export class Run {
  readonly feed: Feed
  /** When the last event came, Unix ms. */
  touchedAt: number
  readonly #options: RunOptions
  /** Where the run stands now. */
  readonly #head: RunPoint
  /** Where it stood before the oldest event retained. */
  readonly #base: RunPoint
  #status: RunStatus = 'running'
  #endedAt: number | null = null
  #prelude: { readonly sequence: number; readonly bytes: Uint8Array } | null = null

  constructor(options: RunOptions) {
    this.#options = options
    this.#head = new RunPoint(options.maxBytes)
    this.#base = new RunPoint(options.maxBytes)
    this.touchedAt = options.record.created_at_ms
    this.feed = new Feed({
      maxFrames: options.maxEvents,
      maxBytes: options.maxBytes,
      soon: options.soon,
      log: true,
      onEvict: ({ bytes }) => this.#base.replay(decode(bytes), bytes.length),
    })
  }

  /** The run as the interface shows it. */
  get record(): RunRecord {
    const { run_id, thread_id, owner, created_at_ms, epoch } = this.#options.record
    const { base, next } = this.feed.ring
    return {
      run_id,
      thread_id,
      owner,
      status: this.#status,
      created_at_ms,
      ended_at_ms: this.#endedAt,
      first_seq: base,
      last_seq: next - 1,
      epoch,
    }
  }

  /** When it ended, Unix ms; null while it runs. */
  get endedAt(): number | null {
    return this.#endedAt
  }

  /** About how many bytes it keeps in memory. */
  get bytes(): number {
    return (
      this.feed.ring.bytes + this.#head.bytes + this.#base.bytes + (this.#prelude?.bytes.length ?? 0) + frameOverhead
    )
  }

  /** Appends checked events, all or none. Throws `run_event_order` or `payload_too_large`. */
  append(events: readonly AgUiEvent[], now: number): void {
    if (this.#head.stateFull && events.some(({ type }) => type === 'STATE_DELTA')) {
      throw httpFail('payload_too_large', { message: 'The state of the run is too large for another delta.' })
    }
    // The text is made first: what cannot be written must not be half applied.
    const texts = events.map(toText)
    const expanded = this.#judge(events)
    this.#prelude = null
    events.forEach((event, index) => {
      const json = texts[index]!
      this.#head.fold(event, expanded[index]!, json.length)
      this.feed.push({ bytes: encodeJsonText(json, this.#id(this.feed.ring.next)) })
    })
    this.touchedAt = now
    const last = events.at(-1)
    if (last === undefined || this.#head.order.phase !== 'over') return
    this.#endedAt = now
    this.#status = statusOf(last)
    this.feed.end()
  }

  /** The bytes that put a standard AG-UI client where the run stood after `sequence`. */
  prelude(sequence: number, gap: AgUiEvent | null): Uint8Array {
    if (gap !== null) return encodePrelude(preludeEvents(this.#pointAt(sequence), gap), this.#id(sequence))
    if (this.#prelude?.sequence !== sequence) {
      // Whoever joins at the same place before the next event is given the same array.
      this.#prelude = {
        sequence,
        bytes: encodePrelude(preludeEvents(this.#pointAt(sequence), null), this.#id(sequence)),
      }
    }
    return this.#prelude.bytes
  }

  #judge(events: readonly AgUiEvent[]): readonly (readonly AgUiEvent[])[] {
    try {
      return this.#head.order.append(events)
    } catch (error) {
      if (error instanceof OrderError)
        throw runFail('run_event_order', { message: `This event may not follow here: ${error.message}.` })
      throw error
    }
  }

  #pointAt(sequence: number): RunPoint {
    const { ring } = this.feed
    if (sequence === ring.next - 1) return this.#head
    const point = this.#base.copy()
    for (let at = ring.base; at <= sequence; at++) {
      const { bytes } = ring.at(at)!
      point.replay(decode(bytes), bytes.length)
    }
    return point
  }

  #id(sequence: number): string {
    return formatCursor(this.#options.record.epoch, sequence)
  }
}

const decoder = new TextDecoder()

/** The event of a frame of this log: one `id:` line, one `data:` line. */
function decode(frame: Uint8Array): AgUiEvent {
  const text = decoder.decode(frame)
  return JSON.parse(text.slice(text.indexOf('\ndata: ') + 7)) as AgUiEvent
}

function toText(event: AgUiEvent): string {
  try {
    return JSON.stringify(event)
  } catch (cause) {
    throw httpFail('malformed_request', { message: 'An event is not JSON, or is nested too deep.', cause })
  }
}

function statusOf(last: AgUiEvent): RunStatus {
  if (last.type === 'RUN_ERROR') return 'failed'
  return isObject(last.outcome) && last.outcome.type === 'cancelled' ? 'cancelled' : 'finished'
}
