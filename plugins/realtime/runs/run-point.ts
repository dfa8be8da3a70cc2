import { isObject } from '../../../core/kernel/values.ts'
import { sizeOf } from '../json-size.ts'
import type { PreludePoint } from './agui-spec/prelude-events.ts'
import type { AgUiEvent } from './event-shape.ts'
import { RunOrder } from './order/run-order.ts'
import { LimitError } from './patch/patch-scope.ts'
import { RunDocument } from './run-document.ts'

/** Events that the document can refuse. Only for them the journal keeps the earlier document. */
const refusable: RegExp = /^(?:RUN_STARTED|STATE|ACTIVITY|MESSAGES|TOOL_CALL_RESULT)/

/** The state of a run after an event: what is open, and what a client has that got everything so far. */
export class RunPoint implements PreludePoint {
  readonly order: RunOrder
  readonly document: RunDocument
  started: AgUiEvent | null = null
  readonly #maxBytes: number
  /** About how many bytes each takes, and never less: replaced values count until the limit is reached. */
  sizes: Record<'begun' | 'messages' | 'state', number> = { begun: 0, messages: 0, state: 0 }

  /** `maxBytes` is the limit of the messages, of the state, and of the texts of sub-agents, each. */
  constructor(
    maxBytes: number,
    order: RunOrder = new RunOrder(),
    document: RunDocument = new RunDocument(maxBytes, order.journal),
  ) {
    this.#maxBytes = maxBytes
    this.order = order
    this.document = document
  }

  /** About how many bytes it takes. */
  get bytes(): number {
    const { begun, messages, state } = this.sizes
    return begun + messages + state + this.order.bytes
  }

  /**
   * Applies events, all or none.
   * @throws OrderError
   * @throws LimitError
   */
  append(events: readonly AgUiEvent[]): void {
    const before = [this.started, { ...this.sizes }] as const
    try {
      this.order.append(events, (expanded) => {
        if (!events.some(({ type }) => refusable.test(type))) this.order.journal.commit()
        for (const [index, event] of events.entries()) this.fold(event, expanded[index]!)
      })
    } catch (error) {
      ;[this.started, this.sizes] = before
      throw error
    }
    this.order.subagents.trim(this.#maxBytes)
  }

  /** Applies an event that was accepted before. */
  replay(event: AgUiEvent): void {
    this.fold(event, this.order.replay(event))
    this.order.subagents.trim(this.#maxBytes)
  }

  /** Returns an independent copy. */
  copy(): RunPoint {
    const order = this.order.copy()
    const point = new RunPoint(this.#maxBytes, order, this.document.copy(order.journal))
    point.started = this.started
    point.sizes = { ...this.sizes }
    return point
  }

  /** Applies accepted events to the document. @throws LimitError */
  fold(event: AgUiEvent, expanded: readonly AgUiEvent[]): void {
    const { sizes } = this
    let grown = 0
    for (const step of expanded) grown += this.document.apply(step)
    switch (event.type) {
      case 'RUN_STARTED': {
        const { input, rawEvent: _raw, ...started } = event
        this.started = started as AgUiEvent
        sizes.begun = sizeOf(started)
        if (isObject(input)) {
          sizes.state = sizeOf(input.state)
          sizes.messages = sizeOf(input.messages)
        }
        break
      }
      case 'STATE_SNAPSHOT':
        sizes.state = sizeOf(event.snapshot)
        break
      case 'STATE_DELTA':
        sizes.state += grown
        break
      case 'CUSTOM':
      case 'RAW':
        break
      default:
        sizes.messages += grown + sizeOf(event)
    }
    if (sizes.messages > this.#maxBytes) sizes.messages = this.document.trim(this.#maxBytes / 2)
    if (sizes.state <= this.#maxBytes) return
    // The exact size is computed only now, because measuring takes time in proportion to the document.
    sizes.state = sizeOf(this.document.state, this.#maxBytes)
    this.document.spend(sizes.state >> 5)
    if (sizes.state > this.#maxBytes) throw new LimitError('size')
  }
}
