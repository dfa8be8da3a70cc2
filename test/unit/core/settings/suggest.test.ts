import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nearest } from '../../../../core/kernel/nearest.ts'

const test = suite('core: suggestions')
const known = ['server.host', 'server.port', 'security.jwt_secret', 'realtime.topics']

test('the nearest name is found, if one is near enough', () => {
  assert.is(nearest('server.prot', known), 'server.port')
  assert.is(nearest('security.jwtsecret', known), 'security.jwt_secret')
  assert.is(nearest('topics', known), undefined)
  assert.is(nearest('storage.directory', known), undefined)
  assert.is(nearest('x', []), undefined)
})

test('a known name with one typing error is found', () => {
  const slip = fc.record({ name: fc.constantFrom(...known), at: fc.nat(50), letter: fc.constantFrom('', 'q', 'qq') })
  fc.assert(
    fc.property(slip, ({ name, at, letter }) => {
      const index = at % name.length
      assert.is(nearest(name.slice(0, index) + letter + name.slice(index + 1), known), name)
    }),
  )
})

test.run()
