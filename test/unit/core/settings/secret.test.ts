import { format, inspect } from 'node:util'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Secret } from '../../../../core/declare/secret.ts'

const test = suite('core: secret')

test('no way of printing shows a secret', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^hush[0-9a-z]{8,}$/), (value) => {
      const held = new Secret(value)
      const nested = { list: [held], held }
      const printed = [
        String(held),
        `${held}`,
        `${held as unknown as string}x`,
        [held].join(),
        JSON.stringify(held),
        JSON.stringify(nested),
        inspect(held),
        inspect(nested, { depth: 9, showHidden: true }),
        format('%s %o %O %j', held, held, held, held),
        Object.keys(held).join(),
        JSON.stringify(Object.entries(Object.getOwnPropertyDescriptors(held))),
        new Error(`bad ${held}`).message,
      ]
      for (const shown of printed) assert.not.ok(shown.includes(value), shown)
      assert.is(held.reveal(), value)
    }),
  )
})

test('a printed secret is shown as redacted', () => {
  const held = new Secret('hush')
  assert.is(`${held}`, '[redacted]')
  assert.is(JSON.stringify({ held }), '{"held":"[redacted]"}')
  assert.is(inspect({ held }), '{ held: [redacted] }')
})

test.run()
