import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nearest } from '../../../../core/settings/suggest.ts'

const test = suite('core: suggestions')
const known = ['server.host', 'server.port', 'security.jwt_secret', 'realtime.topics']

test('finds what was probably meant', () => {
  assert.is(nearest('server.prot', known), 'server.port')
  assert.is(nearest('security.jwtsecret', known), 'security.jwt_secret')
  assert.is(nearest('topics', known), undefined)
  assert.is(nearest('storage.directory', known), undefined)
  assert.is(nearest('x', []), undefined)
})

test('one slip in a known name finds that name', () => {
  const slip = fc.record({ name: fc.constantFrom(...known), at: fc.nat(50), letter: fc.constantFrom('', 'q', 'qq') })
  fc.assert(
    fc.property(slip, ({ name, at, letter }) => {
      const index = at % name.length
      assert.is(nearest(name.slice(0, index) + letter + name.slice(index + 1), known), name)
    }),
  )
})

test.run()
