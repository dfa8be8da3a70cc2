/** Queues events and passes them to a view once per frame, for at most 6 ms, so that the page stays responsive. */

/** The part of one frame that a batch may use, in ms. A frame at 60 Hz has 16 ms. */
const BUDGET_MS = 6
/**
 * Shortest time between two drawings of the view, in ms. Drawing costs more than a batch. An event after a longer pause
 * is drawn in the next frame.
 */
const DRAW_MS = 100
/**
 * Largest number of queued events. Hidden pages have no frames, and a pause may be long: the oldest events beyond this
 * number are taken at once.
 */
const MOST_WAITING = 20_000
/** Largest number of queued characters. */
const MOST_CHARACTERS = 32 * 1_024 * 1_024

/** A queue of events for a view. */
export interface Batches<T> {
  add(event: T): void
  /** Stops or resumes passing events to the view. While paused, new events are queued. */
  setPaused(isPaused: boolean): void
  close(): void
}

/** The callbacks of a queue. */
export interface BatchesOptions<T> {
  readonly take: (event: T) => void
  /** Called after a batch when the view is to be drawn. */
  readonly done: () => void
  /** Called with the number of queued events while the queue is paused. */
  readonly waits: (waiting: number) => void
  /** Returns the number of characters of an event. */
  readonly sizeOf: (event: T) => number
}

/** Creates a queue that passes its events on once per frame. */
export function createBatches<T>({ take, done, waits, sizeOf }: BatchesOptions<T>): Batches<T> {
  let queue: T[] = []
  let next = 0
  let characters = 0
  let frame: number | undefined
  let isPaused = false
  let drawnMs = -Infinity
  /** Whether events were taken since the last drawing. */
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
      // Draw first, because events that were already taken are not counted as waiting.
      if (to && isBehind) draw()
      isPaused = to
      plan()
    },
    close() {
      if (frame !== undefined) cancelAnimationFrame(frame)
    },
  }
}
