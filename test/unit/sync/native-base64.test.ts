/** The base64 codec of Node gives the same results as the portable codec, for every text. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fromBase64, toBase64 } from '../../../plugins/protocol/codecs.ts'
import { fromNativeBase64, toNativeBase64 } from '../../../plugins/sync/api/node-platform.ts'

const plain = (bytes: Uint8Array | undefined): readonly number[] | undefined => bytes && [...bytes]

test('both codecs encode bytes to the same text', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => toNativeBase64(bytes) === toBase64(bytes)))
})

test('decoded bytes are not a Buffer, because slices of a Buffer are not copies', () => {
  assert.is(Object.getPrototypeOf(fromNativeBase64('QUJD')), Uint8Array.prototype)
})

test('both codecs decode any text to the same bytes, or refuse it', () => {
  const odd = fc.array(fc.constantFrom('A', 'Q', 'w', '/', '+', '-', '_', '=', ' ', '\n', 'é', '9'), { maxLength: 12 })
  fc.assert(
    fc.property(odd, (parts) => {
      const text = parts.join('')
      assert.equal(plain(fromNativeBase64(text)), plain(fromBase64(text)), JSON.stringify(text))
    }),
    { numRuns: 5_000 },
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.boolean(), (bytes, padded) => {
      const text = padded ? toBase64(bytes) : toBase64(bytes).replace(/=+$/, '')
      assert.equal(plain(fromNativeBase64(text)), [...bytes])
    }),
  )
})

test.run()
