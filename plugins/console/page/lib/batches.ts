/** Queues events and passes them to a view once a frame, in at most 6 ms, so that the page stays responsive. */

/** Milliseconds of one frame that a batch may take; a frame at 60 Hz has 16. */
const BUDGET_MS = 6
/** Milliseconds between two drawings of the view: drawing costs more than a batch. An event after a longer rest is drawn in the next frame. */
const DRAW_MS = 100
/** Events that may wait. Hidden pages have no frames and a pause may be long, so the oldest are taken at once beyond this. */
const MOST_WAITING = 20_000
/** Characters that may wait. */
const MOST_CHARACTERS = 32 * 1_024 * 1_024

/** Events on their way to a view. */
export interface Batches<T> {
  add(event: T): void
  /** Stops handing over, or goes on. Events still come in. */
  setPaused(isPaused: boolean): void
  close(): void
}

/** What becomes of the events. */
export interface BatchesOptions<T> {
  readonly take: (event: T) => void
  /** Called behind a batch when it is time to draw. */
  readonly done: () => void
  /** Hears how many wait while it is paused. */
  readonly waits: (waiting: number) => void
  /** The characters that an event holds. */
  readonly sizeOf: (event: T) => number
}

/** Hands the events over once a frame. */
export function createBatches<T>({ take, done, waits, sizeOf }: BatchesOptions<T>): Batches<T> {
  let queue: T[] = []
  let next = 0
  let characters = 0
  let frame: number | undefined
  let isPaused = false
  let drawnMs = -Infinity
  /** Whether events were taken since the view was drawn. */
  let isBehind = false
  const takeNext = (): void => {
    const event = queue[next++]!
    characters -= sizeOf(event)
    isBehind = true
    take(event)
  }
  const draw = (): void => {
    isBehind = false
    done()
  }
  const run = (): void => {
    frame = undefined
    if (isPaused) {
      waits(queue.length - next)
      return
    }
    const nowMs = performance.now()
    while (next < queue.length && performance.now() < nowMs + BUDGET_MS) takeNext()
    const isEmpty = next === queue.length
    if (isEmpty) {
      queue = []
      next = 0
    }
    const isDue = nowMs >= drawnMs + DRAW_MS
    if (!isEmpty || !isDue) plan()
    if (!isDue) return
    drawnMs = nowMs
    draw()
  }
  const plan = (): void => {
    frame ??= requestAnimationFrame(run)
  }
  return {
    add(event) {
      queue.push(event)
      characters += sizeOf(event)
      while (queue.length - next > MOST_WAITING || characters > MOST_CHARACTERS) takeNext()
      if (next > MOST_WAITING) {
        queue = queue.slice(next)
        next = 0
      }
      plan()
    },
    setPaused(to) {
      // What was taken is not among the events that wait, so it has to be seen.
      if (to && isBehind) draw()
      isPaused = to
      plan()
    },
    close() {
      if (frame !== undefined) cancelAnimationFrame(frame)
    },
  }
}
