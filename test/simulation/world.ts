/** Virtual time: events run one after the other, and all consequences of an event end before the next event. */
import { createHash } from 'node:crypto'
import { type Figure, type Figures, noFigures } from './figures.ts'

/** A scheduled event. */
export interface Due {
  readonly atMs: number
  readonly no: number
  run: (() => void) | undefined
}

/** The world of one run. */
export interface World {
  /** Virtual time since the start of the run, in milliseconds. */
  readonly nowMs: number
  /** The number of events so far. */
  readonly steps: number
  /** Schedules an event. Events with the same time run in the order in which they were scheduled. */
  in(delayMs: number, run: () => void): Due
  cancel(due: Due): void
  /** Resolves after a delay. */
  pause(delayMs: number): Promise<void>
  /** Lets time pass and runs all events that are due. */
  pass(ms: number): Promise<void>
  /** Lets time pass until a condition holds, but at most `mostMs`. Resolves with whether the condition holds. */
  until(isSo: () => boolean, mostMs: number): Promise<boolean>
  readonly figures: Figures
  count(what: Figure, more?: number): void
  /** Writes a line into the trace. */
  tell(text: string): void
  /** SHA-256 of the trace so far, in hex. */
  traceHash(): string
}

/** Creates a world. `line` is called with each line of the trace. */
export function createWorld(line?: (text: string) => void): World {
  const hash = createHash('sha256')
  const heap = createHeap()
  const figures = noFigures()
  let nowMs = 0
  let steps = 0
  let count = 0

  const advance = async (untilMs: number, isSo: () => boolean): Promise<boolean> => {
    await settle()
    while (!isSo()) {
      const next = heap.first()
      if (next === undefined || next.atMs > untilMs) {
        nowMs = Math.max(nowMs, untilMs)
        return isSo()
      }
      heap.shift()
      if (next.run === undefined) continue
      nowMs = next.atMs
      steps++
      next.run()
      await settle()
    }
    return true
  }

  const world: World = {
    get nowMs() {
      return nowMs
    },
    get steps() {
      return steps
    },
    in(delayMs, run) {
      const due: Due = { atMs: nowMs + Math.max(0, delayMs), no: count++, run }
      heap.push(due)
      return due
    },
    cancel: (due) => void (due.run = undefined),
    pause: (delayMs) => new Promise((done) => world.in(delayMs, done)),
    pass: async (ms) => void (await advance(nowMs + ms, () => false)),
    until: (isSo, mostMs) => advance(nowMs + mostMs, isSo),
    figures,
    count: (what, more = 1) => void (figures[what] += more),
    tell(text) {
      const traceLine = `${nowMs.toFixed(3).padStart(11)} ${text}\n`
      hash.update(traceLine)
      line?.(traceLine)
    },
    traceHash: () => hash.copy().digest('hex'),
  }
  return world
}

/** Waits until all promises have settled that do not wait for virtual time. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function createHeap(): { first(): Due | undefined; shift(): void; push(due: Due): void } {
  const heap: Due[] = []
  const isBefore = (one: Due, other: Due): boolean =>
    one.atMs === other.atMs ? one.no < other.no : one.atMs < other.atMs
  return {
    first: () => heap[0],
    push(due) {
      let at = heap.push(due) - 1
      for (let up = (at - 1) >> 1; at > 0 && isBefore(due, heap[up]!); up = (at - 1) >> 1) {
        heap[at] = heap[up]!
        at = up
      }
      heap[at] = due
    },
    shift() {
      const last = heap.pop()!
      if (heap.length === 0) return
      let at = 0
      for (let down = 1; down < heap.length; down = 2 * at + 1) {
        if (down + 1 < heap.length && isBefore(heap[down + 1]!, heap[down]!)) down++
        if (!isBefore(heap[down]!, last)) break
        heap[at] = heap[down]!
        at = down
      }
      heap[at] = last
    },
  }
}
