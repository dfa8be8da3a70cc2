import type { StreamClock } from '../streams/soon.ts'

/**
 * Cuts long work into slices, so that the event loop is never blocked for long: one slice per turn, for the work that
 * has waited longest. If the work of each owner runs one after the other, owners get equal shares.
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

  /** Whether the slice is used up. Then await `turn`. */
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
