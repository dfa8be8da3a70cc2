import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  contains,
  fromText,
  intersect,
  type Ranges,
  sizeOf,
  toText,
  withTail,
} from '../../../plugins/kbd/engine/graph/ranges.ts'

const all = Array.from({ length: 40 }, (_, n) => n)
const set = fc.uniqueArray(fc.constantFrom(...all)).map((list) => list.sort((a, b) => a - b))
function toRanges(list: readonly number[]): Ranges {
  const ranges: number[] = []
  for (const n of list) {
    if (ranges.length > 0 && ranges.at(-1) === n - 1) ranges[ranges.length - 1] = n
    else ranges.push(n, n)
  }
  return ranges
}

test('operations on ranges give the same results as on sets', () => {
  fc.assert(
    fc.property(set, set, (one, other) => {
      const [a, b] = [toRanges(one), toRanges(other)]
      assert.equal(
        all.filter((n) => contains(a, n)),
        one,
      )
      assert.equal(
        all.filter((n) => contains(intersect(a, b), n)),
        one.filter((n) => other.includes(n)),
      )
      assert.is(sizeOf(a), one.length)
      assert.equal(fromText(toText(a)), a)
      assert.equal([withTail(a, 50, 60).length, withTail(a, 50, 49)], [a.length + 2, a])
    }),
    { numRuns: 300, seed: 1 },
  )
})

test.run()
