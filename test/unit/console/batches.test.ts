/** When events reach a view, and when it is drawn, frame by frame. */
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createBatches } from '../../../plugins/console/page/lib/batches.ts'

const test = suite('console: batches')

const FRAME_MS = 16

let nowMs: number
let frames: (() => void)[]
const own = { performance: Object.getOwnPropertyDescriptor(globalThis, 'performance')! }
test.before.each(() => {
  nowMs = 1_000
  frames = []
  Object.defineProperty(globalThis, 'performance', { value: { now: () => nowMs }, configurable: true })
  Object.assign(globalThis, { requestAnimationFrame: (run: () => void) => frames.push(run) })
})
test.after.each(() => {
  Object.defineProperty(globalThis, 'performance', own.performance)
  Reflect.deleteProperty(globalThis, 'requestAnimationFrame')
})

/** Lets frames pass; stops early once none is asked for. */
function pass(count: number): void {
  for (let frame = 0; frame < count && frames.length > 0; frame++) {
    nowMs += FRAME_MS
    for (const run of frames.splice(0)) run()
  }
}

/** A view that notes what it took, what it showed at each drawing, and how many it was told to wait. */
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

test('an event after a rest is drawn in the next frame; those that follow 100 ms later, without another event', () => {
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

test('a pause shows what was taken, and counts what comes from then on', () => {
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

test('whatever comes when, all is taken in order and drawn in the end, ten times a second at most', () => {
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
