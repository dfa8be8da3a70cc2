import type { AgUiEvent } from './event-shape.ts'
import { type PreludePoint, preludeEvents } from './prelude.ts'
import { RunDocument } from './run-document.ts'
import { RunOrder } from './run-order.ts'

/** Where a run stands after some event: what is open, and what a client holds that saw everything so far. */
export class RunPoint implements PreludePoint {
  readonly order: RunOrder = new RunOrder()
  readonly document: RunDocument = new RunDocument()
  started: AgUiEvent | null = null
  /** Whether the state has outgrown its bound; only a new snapshot of it helps. */
  stateFull = false
  readonly #maxLength: number
  #messages = 0
  #state = 0

  /** `maxLength` bounds, in characters of JSON, the messages and the state, each. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength
  }

  /** About how many bytes messages and state take; never less than their JSON. */
  get bytes(): number {
    return this.#messages + this.#state
  }

  /** Applies one event whose expansion the order has let through; `length` is that of its JSON. */
  fold(event: AgUiEvent, expanded: readonly AgUiEvent[], length: number): void {
    if (event.type === 'RUN_STARTED') {
      const { input: _input, rawEvent: _raw, ...started } = event
      this.started = started as AgUiEvent
    }
    for (const step of expanded) this.document.apply(step)
    if (event.type === 'STATE_SNAPSHOT') this.#state = length
    else if (event.type === 'STATE_DELTA') this.#state += length
    else if (event.type !== 'CUSTOM' && event.type !== 'RAW') this.#messages += length
    // The sums count what was replaced since; only when they reach the bound is the truth worth its price.
    if (this.#messages > this.#maxLength) this.#messages = this.document.trim(this.#maxLength / 2)
    if (this.#state > this.#maxLength) this.#state = lengthOf(this.document.state)
    this.stateFull = this.#state > this.#maxLength
  }

  /** Applies an event that was in the log, or in a prelude, and so needs no second judgement. */
  replay(event: AgUiEvent, length: number): void {
    this.fold(event, this.order.replay(event), length)
  }

  /** A point of its own that stands where this one does, made the way a client gets there: by the prelude. */
  copy(): RunPoint {
    const point = new RunPoint(this.#maxLength)
    for (const event of preludeEvents(this, null)) point.replay(event, 0)
    return point
  }
}

/** Characters of JSON; infinite for what is nested too deep to be written. */
function lengthOf(value: unknown): number {
  try {
    return JSON.stringify(value).length
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
