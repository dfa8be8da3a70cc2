/** A bounded map that keeps the most recently used entries. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Recent } from '../../../plugins/cluster/postgres/recent.ts'

const id = fc.nat({ max: 30 }).map(String)
const action = fc.record({ what: fc.constantFrom('set', 'get', 'get', 'delete' as const), id })

test('after any calls the most recently used half is present, and never more entries than the bound', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 12 }), fc.array(action, { maxLength: 120 }), (most, actions) => {
      const recent = new Recent<string>(most)
      /** Ids in the order of their use, the most recent first. */
      let used: string[] = []
      for (const { what, id } of actions) {
        const found = recent.get(id)
        if (what === 'set') recent.set(id, id)
        if (what === 'delete') recent.delete(id)
        if (found !== undefined) assert.is(found, id)
        else assert.not.ok(used.slice(0, Math.floor(most / 2)).includes(id), `${id} was dropped`)
        used = used.filter((other) => other !== id)
        if (what === 'set' || (what === 'get' && found !== undefined)) used.unshift(id)
      }
      const kept = Array.from({ length: 31 }, (_, n) => String(n)).filter((n) => peek(recent, n))
      assert.ok(kept.length <= most, `${kept.length} of ${most}`)
    }),
  )
})

test('clear removes all entries', () => {
  const recent = new Recent<number>(4)
  for (let n = 0; n < 9; n++) recent.set(String(n), n)
  recent.clear()
  assert.equal(
    Array.from({ length: 9 }, (_, n) => recent.get(String(n))).filter((n) => n !== undefined),
    [],
  )
})

/** Whether an id is present, without counting as a use: the id is deleted after the look. */
function peek(recent: Recent<string>, id: string): boolean {
  const found = recent.get(id)
  recent.delete(id)
  return found !== undefined
}

test.run()
