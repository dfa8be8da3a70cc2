import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Secret } from '../../../../core/declare/secret.ts'
import {
  choice,
  decimal,
  dictionary,
  flag,
  integer,
  list,
  type Setting,
  secret,
  text,
} from '../../../../core/declare/settings.ts'

const test = suite('core: kinds of setting')
const summary = 'For a test.'
/** The value of an environment variable with the given text. */
const fromEnvironment = <T>(setting: Setting<T>, value: string): T | undefined =>
  setting.read(setting.fromText === undefined ? value : setting.fromText(value))

test('integer: every number in the range is read from text, and other values are refused', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 0, max: 1e6 }), fc.integer(), (min, span, value) => {
      const setting = integer({ default: min, min, max: min + span, summary })
      const inside = value >= min && value <= min + span
      assert.is(setting.read(value), inside ? value : undefined)
      assert.is(fromEnvironment(setting, ` ${value} `), inside ? value : undefined)
    }),
  )
  const any = integer({ default: 0, summary })
  for (const bad of ['', ' ', '1.5', '1e3', '0x10', 'one', '--1', '9007199254740993', '-1']) {
    assert.is(fromEnvironment(any, bad), undefined, bad)
  }
  for (const bad of ['1', 1.5, Number.NaN, Number.POSITIVE_INFINITY, true, null, [1], 1n]) {
    assert.is(any.read(bad), undefined)
  }
})

test('integer: the expectation has the range and the unit', () => {
  assert.is(integer({ default: 0, summary }).expected, 'an integer of at least 0')
  assert.is(integer({ default: 1, min: 1, max: 9, unit: 'ms', summary }).expected, 'an integer from 1 to 9 (ms)')
})

test('decimal: every number in the range is read from text', () => {
  const setting = decimal({ default: 0, min: -5, max: 5, summary })
  fc.assert(
    fc.property(fc.double({ noNaN: true }), (value) => {
      const read = fromEnvironment(setting, String(value))
      assert.ok(value >= -5 && value <= 5 ? read === value : read === undefined)
    }),
  )
  for (const bad of ['', 'x', 'NaN', '5.01']) assert.is(fromEnvironment(setting, bad), undefined)
  assert.is(setting.fromText?.('x'), 'x', 'the message shows what was given')
})

test('flag: the words for true and false are read in any case, and other values are refused', () => {
  const setting = flag({ default: false, summary })
  for (const word of ['true', 'TRUE', ' 1 ', 'On', 'yes']) assert.is(fromEnvironment(setting, word), true)
  for (const word of ['false', 'False', '0', 'OFF', 'no']) assert.is(fromEnvironment(setting, word), false)
  for (const word of ['', '2', 'y', 'truee']) assert.is(fromEnvironment(setting, word), undefined)
  for (const value of ['true', 1, 0, null]) assert.is(setting.read(value), undefined)
})

test('text: a value that matches the pattern is read unchanged', () => {
  const any = text({ default: null, summary })
  fc.assert(fc.property(fc.string({ minLength: 1 }), (value) => assert.is(fromEnvironment(any, value), value)))
  assert.is(fromEnvironment(any, ''), undefined)
  for (const value of [null, 1, {}, ['a']]) assert.is(any.read(value), undefined)
  const short = text({ default: 'a', pattern: /^[a-c]$/, expected: 'a letter', summary })
  assert.is(short.read('b'), 'b')
  assert.is(short.read('bb'), undefined)
  assert.is(short.expected, 'a letter')
})

test('choice: only the given words are accepted', () => {
  const setting = choice({ default: 'a', of: ['a', 'b'], summary })
  assert.is(fromEnvironment(setting, ' b '), 'b')
  for (const value of ['c', '', 'A', 'a,b', undefined, 0]) assert.is(setting.read(value), undefined)
  assert.is(setting.expected, 'one of a, b')
})

test('list: items are separated by commas or given as JSON, and each must match the pattern', () => {
  const setting = list({ default: [], pattern: /^[a-z]+$/, summary })
  const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'z'), minLength: 1 }))
  fc.assert(
    fc.property(words, (items) => {
      if (items.length > 0) assert.equal(fromEnvironment(setting, items.join(' , ')), items)
      assert.equal(fromEnvironment(setting, JSON.stringify(items)), items)
      assert.equal(setting.read(items), items)
    }),
  )
  for (const bad of ['', ' ', ' , ', 'a,B', '[1]', '["a",""]', '["a"'])
    assert.is(fromEnvironment(setting, bad), undefined, bad)
  for (const value of ['a', null, { 0: 'a' }, ['a', 1], ['']]) assert.is(setting.read(value), undefined)
})

test('dictionary: an object of strings is accepted', () => {
  const setting = dictionary({ default: {}, summary })
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true }), (value) => {
      assert.equal(fromEnvironment(setting, JSON.stringify(value)), JSON.parse(JSON.stringify(value)))
    }),
  )
  for (const bad of ['', 'a=b', '[]', 'null', '{"a":1}', '"a"'])
    assert.is(fromEnvironment(setting, bad), undefined, bad)
})

test('secret: a text is wrapped, and a Secret is kept', () => {
  const setting = secret({ summary })
  assert.ok(setting.secret)
  assert.is(fromEnvironment(setting, 'hush')!.reveal(), 'hush')
  const held = new Secret('hush')
  assert.is(setting.read(held), held)
  for (const value of ['', null, 5, {}]) assert.is(setting.read(value), undefined)
})

test.run()
