/** Determines which items of a timeline are drawn in each frame. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isWhole, NEW_IN_A_FRAME, NOTHING, nextRange } from '../../../plugins/console/page/views/runs/range.ts'

test('a long run shows its newest items first, and earlier items in the following frames', () => {
  const first = nextRange(NOTHING, 500, 100)
  assert.equal(first, { from: 488, to: 500 })
  assert.equal(nextRange(first, 500, 100), { from: 476, to: 500 })
})

test('a few new items are added per frame, and shown items are removed only when new ones replace them', () => {
  assert.equal(nextRange({ from: 0, to: 100 }, 130, 100), { from: 12, to: 112 })
  assert.equal(nextRange({ from: 18, to: 118 }, 130, 100), { from: 30, to: 130 })
})

test('if all shown items are too old, or the timeline has changed, the range starts again at the end', () => {
  assert.equal(nextRange({ from: 0, to: 100 }, 900, 100), { from: 888, to: 900 })
  assert.equal(nextRange({ from: 400, to: 500 }, 10, 100), { from: 0, to: 10 })
})

test('for any arrivals a frame adds a few items, and at last the newest items are shown', () => {
  const counts = fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 30 })
  fc.assert(
    fc.property(counts, fc.integer({ min: 1, max: 300 }), (arriving, shown) => {
      let drawn = NOTHING
      let length = 0
      const step = (): void => {
        const next = nextRange(drawn, length, shown)
        const stays = Math.max(0, Math.min(next.to, drawn.to) - Math.max(next.from, drawn.from))
        assert.ok(next.to - next.from - stays <= NEW_IN_A_FRAME)
        assert.ok(next.to - next.from <= shown && next.to <= length)
        drawn = next
      }
      for (const count of arriving) {
        length += count
        step()
      }
      for (let frame = 0; frame <= 300 / NEW_IN_A_FRAME + 13; frame++) step()
      assert.ok(isWhole(drawn, length, shown))
    }),
  )
})

test.run()
