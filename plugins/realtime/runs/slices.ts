import type { StreamClock } from '../streams/sink.ts'

/**
 * Cuts long work into slices, so that the loop is never held for long: one slice in a turn of the loop, whoever waits
 * longest next. Work that is one after the other for each owner so shares evenly between owners.
 */
export class Slices {
  readonly #clock: StreamClock
  readonly #soon: (run: () => void) => void
  readonly #sliceMs: number
  readonly #waiting: (() => void)[] = []
  #scheduled = false
  #until = 0

  constructor(clock: StreamClock, soon: (run: () => void) => void, sliceMs: number) {
    this.#clock = clock
    this.#soon = soon
    this.#sliceMs = sliceMs
  }

  /** Whether the slice is used up and `turn` is to be awaited. */
  get over(): boolean {
    return this.#clock.monotonic() >= this.#until
  }

  /** Resolves when the caller's next slice begins. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    this.#soon(() => {
      this.#scheduled = false
      this.#until = this.#clock.monotonic() + this.#sliceMs
      this.#waiting.shift()?.()
      if (this.#waiting.length > 0) this.#schedule()
    })
  }
}
