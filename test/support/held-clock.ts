/** A clock that a test moves by hand. */
import type { Clock, Timer } from '../../core/environment.ts'

interface Waiting {
  readonly atMs: number
  readonly run: () => void
}

/** A clock that moves only by `advance`. It starts at a date, so that a mix-up of `now` and `monotonic` shows. */
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

  /** Timers that are set and have not run. None should be left when the code under test is done. */
  get pending(): number {
    return this.#waiting.size
  }

  /** Moves the time forward. Timers run in order, each followed by the microtasks that it scheduled. */
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

/** Lets every promise that can settle without a timer or a device do so. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
