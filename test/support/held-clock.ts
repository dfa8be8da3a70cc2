/** A clock that a test controls. */
import type { Clock, Timer } from '../../core/kernel/environment.ts'

interface Waiting {
  readonly atMs: number
  readonly run: () => void
}

/**
 * A clock that moves only by `advance`. `now` starts at a date and `monotonic` at 0, so that a confusion of the two
 * makes a test fail.
 */
export class HeldClock implements Clock {
  readonly #startMs: number
  #elapsedMs = 0
  readonly #waiting: Set<Waiting> = new Set()

  constructor(startMs: number = Date.UTC(2030, 0, 1)) {
    this.#startMs = startMs
  }

  readonly now = (): number => this.#startMs + this.#elapsedMs

  readonly monotonic = (): number => this.#elapsedMs

  readonly setTimeout = (run: () => void, delayMs: number): Timer => {
    const timer: Waiting = { atMs: this.#elapsedMs + Math.max(0, delayMs), run }
    this.#waiting.add(timer)
    return timer
  }

  readonly clearTimeout = (timer: Timer): void => {
    this.#waiting.delete(timer as Waiting)
  }

  /** The number of timers that are set and have not run. It should be 0 when the code under test is done. */
  get pending(): number {
    return this.#waiting.size
  }

  /**
   * Moves the time forward. Timers run in the order of their times, each followed by the microtasks that it scheduled.
   */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#elapsedMs + ms
    await settle()
    for (let due = this.#next(untilMs); due !== undefined; due = this.#next(untilMs)) {
      this.#elapsedMs = Math.max(this.#elapsedMs, due.atMs)
      this.#waiting.delete(due)
      due.run()
      await settle()
    }
    this.#elapsedMs = untilMs
  }

  #next(untilMs: number): Waiting | undefined {
    let first: Waiting | undefined
    for (const timer of this.#waiting) {
      if (timer.atMs <= untilMs && (first === undefined || timer.atMs < first.atMs)) first = timer
    }
    return first
  }
}

/** Waits until every promise has settled that can settle without a timer or a device. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
