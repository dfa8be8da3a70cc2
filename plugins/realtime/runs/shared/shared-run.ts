import type { RunBase, RunHead } from '../../api.ts'
import { frameOverhead } from '../../streams/ring.ts'
import { encodeJsonText } from '../../streams/sse.ts'
import type { AgUiEvent } from '../event-shape.ts'
import { Run, type RunOptions } from '../run.ts'
import { type RunPoint, refusable } from '../run-point.ts'
import { loadPoint } from './saved-point.ts'

/** Ends the trial of a batch. */
const undone = new Error('taken back')

/** A copy of a run that is kept elsewhere: what it takes, others have decided. */
export class SharedRun extends Run {
  readonly #maxEvents: number
  readonly #maxBytes: number

  constructor(options: RunOptions) {
    super(options)
    this.#maxEvents = options.runMaxEvents
    this.#maxBytes = options.runMaxBytes
  }

  /** About how many bytes it keeps that are no reader's. */
  get ownBytes(): number {
    return this.bytes - this.preludes.bytes
  }

  /** Begins behind what is no longer retained; only where it holds nothing yet. */
  beginAt(base: RunBase): void {
    loadPoint(this.base, base)
    loadPoint(this.head, base)
    this.feed.ring.base = base.sequence + 1
    this.feed.ring.next = base.sequence + 1
  }

  /** Where it stood before the oldest event retained, to keep. */
  get beginning(): RunPoint {
    return this.base.copy()
  }

  /**
   * Judges events as if they were appended, and leaves everything as it was. Says whether the run is over with them.
   * @throws SvcError `run_event_order`, `malformed_request`, `rate_limited`
   */
  check(events: readonly AgUiEvent[], work: { left: number }): boolean {
    const { head } = this
    const { started } = head
    const sizes = { ...head.sizes }
    let over = false
    this.judge(work, () => {
      try {
        head.order.append(events, (expanded) => {
          over = head.order.phase === 'over'
          if (events.some(({ type }) => refusable.test(type)))
            for (const [index, event] of events.entries()) head.fold(event, expanded[index]!)
          throw undone
        })
      } catch (error) {
        if (error !== undone) throw error
      } finally {
        head.started = started
        head.sizes = sizes
      }
    })
    return over
  }

  /** Takes the texts of events that others let through; `now` is the monotonic clock. */
  follow({ record }: RunHead, texts: readonly string[], now: number): void {
    this.head.document.scope.work = Number.POSITIVE_INFINITY
    for (const text of texts) this.head.replay(JSON.parse(text) as AgUiEvent)
    this.take(texts, record.status, record.ended_at_ms, now)
  }

  /** The sequence of the oldest event retained once these are taken. */
  firstAfter(texts: readonly string[]): number {
    const { ring } = this.feed
    let { base, bytes } = ring
    const chars = texts.reduce((sum, text) => sum + text.length, 0)
    // Mostly there is room, and nothing has to be measured: no character takes more than three bytes.
    const most = bytes + 3 * chars + texts.length * (frameOverhead + 64)
    if (ring.size + texts.length <= this.#maxEvents && most <= this.#maxBytes) return base
    const sizes = texts.map((text, index) => encodeJsonText(text, this.id(ring.next + index)).length)
    for (const [index, size] of sizes.entries()) {
      const next = ring.next + index
      while (base < next && (next - base >= this.#maxEvents || bytes + size > this.#maxBytes)) {
        bytes -= (ring.at(base)?.bytes.length ?? sizes[base - ring.next]!) + frameOverhead
        base++
      }
      bytes += size + frameOverhead
    }
    return base
  }
}
