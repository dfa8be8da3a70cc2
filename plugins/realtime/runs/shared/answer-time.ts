import { withDeadline } from '../../../../core/kernel/phase.ts'
import type { StreamClock } from '../../streams/soon.ts'
import type { RunStore } from './api.ts'
import { tryAgain } from './errors.ts'

/** Time in which a caller is answered, in milliseconds: 5 s are promised, and the answer itself needs some of them. */
const answerMs = 4_750

/** The part of it in which to find out what became of an append that the store did not acknowledge. */
export const findOutMs = 500

/** The time that a request has until it is answered. Every wait for the store takes from the same time. */
export class AnswerTime {
  readonly #clock: StreamClock
  readonly #until: number

  /** `since` is when the work on the request began, on the monotonic clock; the default is now. */
  constructor(clock: StreamClock, since: number = clock.monotonic()) {
    this.#clock = clock
    this.#until = since + answerMs
  }

  /** Milliseconds that are left, at least 0. */
  get left(): number {
    return Math.max(0, this.#until - this.#clock.monotonic())
  }

  /**
   * Waits for work as long as there is time. The work itself goes on. @throws SvcError `overloaded` when time is over
   */
  wait<T>(work: () => Promise<T>): Promise<T> {
    return withDeadline(this.#clock, this.left, work, tryAgain)
  }
}

/** Resolves once this node has seen everything that was appended before the call. @throws SvcError `overloaded` */
export async function catchUp(store: RunStore, time?: AnswerTime): Promise<void> {
  try {
    await (time === undefined ? store.current() : time.wait(() => store.current()))
  } catch (cause) {
    throw tryAgain(cause)
  }
}
