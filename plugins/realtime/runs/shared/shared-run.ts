import { frameOverhead } from '../../streams/ring.ts'
import { encodeJsonText } from '../../streams/sse.ts'
import { decodeFrame } from '../agui-spec/prelude-cache.ts'
import type { AgUiEvent } from '../event-shape.ts'
import { Run, type RunOptions, runOverhead } from '../run.ts'
import type { RunPoint } from '../run-point.ts'
import type { Slices } from '../slices.ts'
import type { RunBase, RunHead, StoredHead } from './api.ts'
import { loadPoint } from './saved-point.ts'

/** What `SharedRun` works with. */
export interface SharedRunOptions extends RunOptions {
  /** The bytes that the run takes according to its newest head. */
  readonly toldBytes: number
}

/** The result of a check. */
export interface Judged {
  readonly over: boolean
  readonly bytes: number
}

/** When the store got each event of a list, in Unix ms. */
type Times = readonly StoredHead['atMs'][]

/** Ends the check of a batch. */
const undone = new Error('taken back')

/**
 * A copy of a run of the store. Its events were accepted when they were appended. The log is ready at once. The state
 * of the run (open messages, the document of a client) is computed on demand by `understand`, because readers of the
 * log never need it.
 */
export class SharedRun extends Run {
  readonly #maxEvents: number
  readonly #maxBytes: number
  /** The sequence up to which the state is computed. */
  #understood = 0
  #understanding: Promise<void> | undefined
  /** The bytes that the run takes according to its newest head. */
  #told: number

  constructor(options: SharedRunOptions) {
    super(options)
    this.#told = options.toldBytes
    this.#maxEvents = options.runMaxEvents
    this.#maxBytes = options.runMaxBytes
  }

  /** About how many bytes the copy takes, or will take once its state is computed. */
  override get bytes(): number {
    const isUnderstood = this.#understanding !== undefined && !this.#isBehind
    return isUnderstood ? super.bytes : Math.max(super.bytes, this.#told + this.preludes.bytes)
  }

  /** Begins at a base; only for a copy without events. */
  beginAt(base: RunBase): void {
    loadPoint(this.base, base)
    loadPoint(this.head, base)
    this.feed.ring.base = base.sequence + 1
    this.feed.ring.next = base.sequence + 1
    this.#understood = base.sequence
  }

  /** Whether the state lacks events of the log. */
  get #isBehind(): boolean {
    return this.#understood < this.feed.ring.next - 1
  }

  /** Resolves once the state has all events of the log; from then on it follows the log. */
  understand(slices: Slices): Promise<void> {
    this.#understanding ??= this.#catchUp(slices)
    return this.#understanding
  }

  /** A copy of the state before the oldest retained event. */
  get beginning(): RunPoint {
    return this.base.copy()
  }

  /**
   * Checks events as if they were appended, and changes nothing. `logBytes` are their bytes in the log. The result says
   * whether the run would be over, and about how many bytes it would take.
   * @throws SvcError `run_event_order`, `malformed_request`, `rate_limited`
   */
  check(events: readonly AgUiEvent[], logBytes: number, work: { left: number }): Judged {
    const { head } = this
    const { started } = head
    const sizes = { ...head.sizes }
    let judged: Judged = { over: false, bytes: 0 }
    this.judge(work, () => {
      try {
        head.order.append(events, (expanded) => {
          const over = head.order.phase === 'over'
          for (const [index, event] of events.entries()) head.fold(event, expanded[index]!)
          const log = Math.min(this.#maxBytes, this.feed.ring.bytes + logBytes)
          judged = { over, bytes: log + head.bytes + this.base.bytes + runOverhead }
          throw undone
        })
      } catch (error) {
        if (error !== undone) throw error
      } finally {
        head.started = started
        head.sizes = sizes
      }
    })
    return judged
  }

  /**
   * Adds events of an append of the store, with the times at which the store got them; `now` is the monotonic clock.
   */
  follow({ record, bytes }: RunHead, texts: readonly string[], times: Times, now: number): void {
    this.#told = bytes
    this.#keepUp(texts)
    this.take(texts, times, record, now)
  }

  /** Adds events of many appends without heads; a later append has the head. */
  extend(texts: readonly string[], times: Times, now: number): void {
    this.#keepUp(texts)
    const frames = encodeTogether(texts, (index) => this.id(this.feed.ring.next + index))
    for (const [index, bytes] of frames.entries()) this.feed.push({ bytes, atMs: times[index] })
    this.touchedAt = now
  }

  /** Applies new events to the state, if the state has all earlier ones. */
  #keepUp(texts: readonly string[]): void {
    if (this.#understanding === undefined || this.#isBehind) return
    for (const text of texts) this.#replay(JSON.parse(text) as AgUiEvent)
    this.#understood += texts.length
  }

  protected override onEvict(bytes: Uint8Array, sequence: number): void {
    if (sequence > this.#understood) {
      this.#replay(decodeFrame(bytes))
      this.#understood = sequence
    }
    super.onEvict(bytes, sequence)
  }

  async #catchUp(slices: Slices): Promise<void> {
    const { ring } = this.feed
    while (this.#isBehind) {
      await slices.turn()
      do {
        const frame = ring.at(this.#understood + 1)
        if (frame === undefined) throw new Error('an event is no longer retained')
        this.#replay(decodeFrame(frame.bytes))
        this.#understood++
      } while (this.#isBehind && !slices.over)
    }
  }

  #replay(event: AgUiEvent): void {
    this.head.document.scope.work = Infinity
    this.head.replay(event)
  }

  /** The sequence of the oldest retained event if these texts are added. */
  firstAfter(texts: readonly string[]): number {
    const { ring } = this.feed
    let { base, bytes } = ring
    const chars = texts.reduce((sum, text) => sum + text.length, 0)
    // Mostly there is room without measuring, because a character takes at most three bytes.
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

const encoder = new TextEncoder()

/** Encodes events as frames. ASCII frames share one buffer, which stays in memory as long as one of them. */
function encodeTogether(texts: readonly string[], id: (index: number) => string): readonly Uint8Array[] {
  const frames = texts.map((text, index) => `id: ${id(index)}\ndata: ${text}\n\n`)
  const all = frames.join('')
  const bytes = encoder.encode(all)
  if (bytes.length !== all.length) return texts.map((text, index) => encodeJsonText(text, id(index)))
  let end = bytes.byteOffset
  return frames.map(({ length }) => {
    end += length
    return new Uint8Array(bytes.buffer, end - length, length)
  })
}
