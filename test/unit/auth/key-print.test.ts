import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createKeyText } from '../../../plugins/auth/api-keys/key-text/key-text.ts'
import { createKeyPrinter, type KeyPrint } from '../../../plugins/auth/api-keys/verifying/key-verifier.ts'

const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length))
const isSamePrint = (a: KeyPrint, b: KeyPrint): boolean => a.one === b.one && a.two === b.two
const character = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')

test('a key text has one print, and a key text with a changed character, two swapped characters or another secret has another print', () => {
  const printOf = createKeyPrinter(random)
  const { text, id } = createKeyText(random)
  const print = printOf(text)
  assert.ok(isSamePrint(print, printOf(Buffer.from(text).toString())))
  const position = fc.integer({ min: 21, max: 69 })
  const withCharacter = (at: number, given: string, into = text): string =>
    into.slice(0, at) + given + into.slice(at + 1)
  const other = fc.oneof(
    fc.tuple(position, character).map(([at, given]) => withCharacter(at, given)),
    fc.tuple(position, position).map(([a, b]) => withCharacter(a, text[b]!, withCharacter(b, text[a]!))),
    fc.constant(0).map(() => createKeyText(random, id).text),
  )
  let others = 0
  fc.assert(
    fc.property(other, (given) => {
      if (given !== text) others++
      assert.is(isSamePrint(print, printOf(given)), given === text)
      const { one, two } = printOf(given)
      // Each of the two sums alone differs too, so the sums are independent.
      assert.is(one === print.one, given === text)
      assert.is(two === print.two, given === text)
    }),
    { numRuns: 5_000 },
  )
  assert.ok(others > 4_000)
})

test('sums are exact: with the largest weights the last character still changes the sum', () => {
  const printOf = createKeyPrinter((length) => new Uint8Array(length).fill(255))
  const most = `svc_${'z'.repeat(16)}_${'z'.repeat(49)}`
  const { one, two } = printOf(most)
  assert.is(BigInt(one), 49n * BigInt('z'.charCodeAt(0)) * (2n ** 40n - 1n))
  assert.ok(Number.isSafeInteger(one) && two === one)
  assert.is(one - printOf(`${most.slice(0, -1)}y`).one, 2 ** 40 - 1)
})

test('weights are drawn once, for the first print, and two processes have different weights', () => {
  const drawn: number[] = []
  const draw = (length: number): Uint8Array => {
    drawn.push(length)
    return random(length)
  }
  const printOf = createKeyPrinter(draw)
  assert.equal(drawn, [])
  const { text } = createKeyText(random)
  const print = printOf(text)
  printOf(createKeyText(random).text)
  assert.equal(drawn, Array(2 * 49).fill(5))
  assert.not.ok(isSamePrint(print, createKeyPrinter(random)(text)))
})

test.run()
