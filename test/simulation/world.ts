/** Virtual time: what happens, happens in one line of events, and everything that follows from one ends before the next. */
import { createHash } from 'node:crypto'
import { type Figure, type Figures, noFigures } from './figures.ts'

/** Something that is due. */
export interface Due {
  readonly atMs: number
  readonly no: number
  run: (() => void) | undefined
}

/** The world of one run. */
export interface World {
  /** Milliseconds since the run began. */
  readonly nowMs: number
  /** Events so far. */
  readonly steps: number
  /** Runs something later; of two that are due at the same time the first that was asked for is first. */
  in(delayMs: number, run: () => void): Due
  cancel(due: Due): void
  /** Resolves later. */
  pause(delayMs: number): Promise<void>
  /** Lets time pass, and all that is due by then happen. */
  pass(ms: number): Promise<void>
  /** Lets time pass until something is so, at most for a time; whether it came to be. */
  until(isSo: () => boolean, mostMs: number): Promise<boolean>
  readonly figures: Figures
  count(what: Figure): void
  /** Writes a line into the trace. */
  tell(text: string): void
  /** SHA-256 of the trace so far, in hex. */
  traceHash(): string
}

/** Makes a world; `line` hears of each line of the trace. */
export function createWorld(line?: (text: string) => void): World {
  const hash = createHash('sha256')
  const heap = createHeap()
  const figures = noFigures()
  let nowMs = 0
  let steps = 0
  let made = 0

  const goOn = async (untilMs: number, isSo: () => boolean): Promise<boolean> => {
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
      const due: Due = { atMs: nowMs + Math.max(0, delayMs), no: made++, run }
      heap.push(due)
      return due
    },
    cancel: (due) => void (due.run = undefined),
    pause: (delayMs) => new Promise((done) => world.in(delayMs, done)),
    pass: async (ms) => void (await goOn(nowMs + ms, () => false)),
    until: (isSo, mostMs) => goOn(nowMs + mostMs, isSo),
    figures,
    count: (what) => void figures[what]++,
    tell(text) {
      const said = `${nowMs.toFixed(3).padStart(11)} ${text}\n`
      hash.update(said)
      line?.(said)
    },
    traceHash: () => hash.copy().digest('hex'),
  }
  return world
}

/** Lets every promise settle that can: whatever takes longer asks the world for time. */
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
