/** Determines when events reach a view, and in which frame it is drawn. */
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createBatches } from '../../../plugins/console/page/lib/batches.ts'

const test = suite('console: batches')

const FRAME_MS = 16

let nowMs: number
let frames: (() => void)[]
const originals = { performance: Object.getOwnPropertyDescriptor(globalThis, 'performance')! }
test.before.each(() => {
  nowMs = 1_000
  frames = []
  Object.defineProperty(globalThis, 'performance', { value: { now: () => nowMs }, configurable: true })
  Object.assign(globalThis, { requestAnimationFrame: (run: () => void) => frames.push(run) })
})
test.after.each(() => {
  Object.defineProperty(globalThis, 'performance', originals.performance)
  Reflect.deleteProperty(globalThis, 'requestAnimationFrame')
})

/** Lets frames pass. Stops early if no frame is requested. */
function pass(count: number): void {
  for (let frame = 0; frame < count && frames.length > 0; frame++) {
    nowMs += FRAME_MS
    for (const run of frames.splice(0)) run()
  }
}

/**
 * A view that records the events that it got, the number of events at each drawing, and the number of waiting events.
 */
function view() {
  const taken: number[] = []
  const drawn: number[] = []
  let waiting = 0
  const batches = createBatches<number>({
    take: (event) => taken.push(event),
    done: () => drawn.push(taken.length),
    waits: (count) => {
      waiting = count
    },
    sizeOf: () => 1,
  })
  return { batches, taken, drawn, waiting: () => waiting }
}

test('an event after a rest is drawn in the next frame, and following events 100 ms later', () => {
  const { batches, drawn } = view()
  batches.add(1)
  pass(1)
  assert.equal(drawn, [1])
  batches.add(2)
  pass(1)
  batches.add(3)
  pass(5)
  assert.equal(drawn, [1])
  pass(1)
  assert.equal(drawn, [1, 3])
  assert.is(frames.length, 0, 'no frame is asked for without need')
})

test('a pause draws the events so far, and counts later events', () => {
  const { batches, drawn, waiting } = view()
  batches.add(1)
  pass(1)
  batches.add(2)
  pass(1)
  batches.setPaused(true)
  assert.equal(drawn, [1, 2])
  batches.add(3)
  pass(100)
  assert.equal([drawn, waiting()], [[1, 2], 1])
  batches.setPaused(false)
  pass(100)
  assert.equal(drawn.at(-1), 3)
})

test('events at any times are all taken in order and drawn at last, at most ten times per second', () => {
  const bursts = fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 20 })), { maxLength: 40 })
  fc.assert(
    fc.property(bursts, (steps) => {
      const { batches, taken, drawn } = view()
      const sinceMs = nowMs
      let last = 0
      for (const [events, rest] of steps) {
        for (let event = 0; event < events; event++) batches.add(++last)
        pass(rest)
      }
      pass(100)
      assert.equal(
        taken,
        Array.from({ length: last }, (_, index) => index + 1),
      )
      assert.is(drawn.at(-1) ?? 0, last)
      assert.ok(drawn.length <= 1 + (nowMs - sinceMs) / 100, `${drawn.length} drawings in ${nowMs - sinceMs} ms`)
    }),
  )
})

test.run()
