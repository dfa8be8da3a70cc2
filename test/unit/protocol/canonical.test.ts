/** The canonical form: the same text as from the package, and one error for every value without a canonical form. */
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import { canonicalText } from '../../../plugins/protocol/canonical.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { numberCases } from '../../support/vectors/json.ts'

/** The text, or 'none' if there is none. */
function outcome(work: () => string | undefined): string {
  try {
    return work() ?? 'none'
  } catch {
    return 'none'
  }
}

/** The text from the own implementation, which must throw `canonicalization_failed` if there is none. */
function ours(value: unknown): string {
  try {
    return canonicalText(value)
  } catch (error) {
    assert.ok(isSvcError(error, 'canonicalization_failed'), String(error))
    return 'none'
  }
}

const agree = (value: unknown): void =>
  assert.is(
    ours(value),
    outcome(() => canonicalize(value)),
  )

/**
 * Texts with characters to escape, paired and lone surrogates, and names whose order by code unit differs from the
 * order by character.
 */
const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc
    .array(
      fc.constantFrom(
        'a',
        '"',
        '\\',
        '\\ud800',
        '\u0000',
        '\u001f',
        '\u007f',
        '\u2028',
        'é',
        '\ud83d\ude00',
        '\ufb33',
        '\ud800',
        '\udc00',
        '1',
        '10',
        '__proto__',
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join('')),
)
const number = fc.oneof(
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom(-0, 0, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 333333333.3333333, NaN, Infinity, -Infinity),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    text,
    number,
    fc.constantFrom(null, true, false, undefined),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(text, tie('value'), { maxKeys: 6, noNullPrototype: true }),
  ),
}))

test('any value gives the same text as the package, or is refused as by the package', () => {
  fc.assert(fc.property(value, agree), { numRuns: 4_000 })
})

test('names are ordered by code unit, also names that look like numbers', () => {
  const names = ['10', '9', '1', '', 'a', 'A', 'é', '\ud83d\ude00', '\ufb33', '__proto__', 'toString', 'constructor']
  fc.assert(
    fc.property(fc.shuffledSubarray(names), (some) => {
      const written = canonicalText(JSON.parse(`{${some.map((name) => `${JSON.stringify(name)}:0`).join()}}`))
      const read = [...written.matchAll(/"((?:[^"\\]|\\.)*)":0/g)].map(([, name]) => name!)
      assert.equal(
        read,
        [...some].sort((a, b) => (a < b ? -1 : 1)),
      )
    }),
  )
})

test('numbers are written as in RFC 8785 appendix B', () => {
  for (const [bits, text] of numberCases) assert.is(ours(Buffer.from(bits, 'hex').readDoubleBE()), text ?? 'none', bits)
})

test('values that JSON cannot express are refused or left out', () => {
  const circle: Record<string, unknown> = {}
  circle['circle'] = { of: [circle] }
  const deep = Array.from({ length: 256 }).reduce<unknown>((inner, _, i) => (i % 2 === 0 ? [inner] : { inner }), 'end')
  for (const value of [
    circle,
    deep,
    1n,
    { a: 1n },
    undefined,
    Symbol('s'),
    { s: Symbol('s') },
    [Symbol('s'), undefined],
  ])
    agree(value)
  agree({
    at: new Date(0),
    none: undefined,
    map: new Map([[1, 2]]),
    null: Object.assign(Object.create(null), { a: 1 }),
  })
})

test('a lone surrogate is refused, and a text that only looks like an escaped surrogate is not', () => {
  assert.is(canonicalText('\\ud800'), '"\\\\ud800"')
  assert.is(canonicalText('\ud83d\ude00"'), '"\ud83d\ude00\\""')
  for (const lone of ['\ud800', '\udc00', '\ude00\ud83d', '"\ud800', 'a\udfffb'])
    for (const value of [lone, [lone], { a: lone }, { [lone]: 1 }]) assert.is(ours(value), 'none')
})

test.run()
