/** Untrusted text for people: what is escaped, and where text is cut. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { cutText, printable } from '../../../core/kernel/printable.ts'
import { anyCharacter } from '../../support/any-character.ts'

test('text of the world stays as it is', () => {
  for (const text of [
    'می\u200cخواهم',
    'क्\u200dष',
    '👩\u200d👩\u200d👧',
    '❤\ufe0f',
    '葛\u{e0100}城市',
    'e\u0301',
    'ᠮ\u180b',
    'שלום',
  ])
    assert.is(printable(text), text)
})

test('controls, overrides of the direction and hidden characters are escaped', () => {
  const cases: readonly [text: string, shown: string][] = [
    ['a\u001b[2Jb\u009b', 'a\\u{1b}[2Jb\\u{9b}'],
    ['\u202egnp.exe\u2066\u200e\u061c', '\\u{202e}gnp.exe\\u{2066}\\u{200e}\\u{61c}'],
    ['a\u200bb\u00adc\u2028\ufeff', 'a\\u{200b}b\\u{ad}c\\u{2028}\\u{feff}'],
    ['\u{e0041}\u3164\ud800', '\\u{e0041}\\u{3164}\\u{d800}'],
    // A sequence of selectors can carry a hidden text.
    ['😀\ufe00\ufe01 \ufe02', '😀\ufe00\\u{fe01} \\u{fe02}'],
  ]
  for (const [text, shown] of cases) assert.is(printable(text), shown)
  assert.is(printable('a\tb\r\nc\u0007', { keepsLines: true }), 'a\tb\r\nc\\u{7}')
})

test('text is cut between characters that people see', () => {
  assert.is(cutText('abc', 3), 'abc')
  assert.is(cutText('abcd', 3), 'abc')
  assert.is(cutText('ae\u0301', 2), 'a')
  assert.is(cutText('a👩\u200d👩\u200d👧b', 5), 'a')
  assert.is(cutText('a🚀', 2), 'a')
  // A single character that is too long is cut between code points.
  assert.is(cutText(`a${'\u0301'.repeat(100)}`, 10).length, 10)
  assert.is(cutText('🚀🚀', 1), '')
})

/** Single characters that control a terminal, change the direction of text, or are invisible. */
const EFFECTS =
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]/
const graphemes = (text: string): readonly string[] =>
  [...new Intl.Segmenter('en').segment(text)].map(({ segment }) => segment)
/** Texts of many scripts, with controls, overrides, joiners, marks and emoji of several code points. */
const texts = fc
  .array(
    fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 6 }),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
      fc.constantFrom(
        'می\u200cخواهم',
        '👩\u200d👩\u200d👧',
        'e\u0301',
        '\u202e',
        '\u2066',
        '\u200b',
        '\u001b[2J',
        '🇩🇪🇫🇷',
        'क्\u200dष',
        '\r\n',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

test('no text has an effect, joiners stay, and a text without hidden characters stays as it is', () => {
  fc.assert(
    fc.property(texts, fc.boolean(), (text, keepsLines) => {
      const shown = printable(text, { keepsLines })
      assert.not.match(shown.replace(/[\ud800-\udbff][\udc00-\udfff]/g, ''), EFFECTS)
      if (!keepsLines) assert.not.match(shown, /[\t\n\r]/)
      const joiners = (of: string): number => of.match(/[\u200c\u200d]/g)?.length ?? 0
      assert.is(joiners(shown), joiners(text))
      assert.is(printable(shown, { keepsLines }), shown, 'what is shown stays as it is')
    }),
  )
})

test('a cut text is a row of whole characters of the text, and says that it is cut', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 0, max: 40 }), (text, max) => {
      const shown = printable(text, { max })
      if (text.length <= max) return assert.is(shown, printable(text))
      assert.ok(shown.endsWith('…'))
      const all = graphemes(text)
      // A first character that alone is too long is cut: it can have any number of marks.
      if ((all[0] ?? '').length > max) return
      const whole: string[] = []
      for (const one of all) {
        if (whole.join('').length + one.length > max) break
        whole.push(one)
      }
      assert.is(cutText(text, max), whole.join(''))
      assert.is(shown, `${printable(whole.join(''))}…`)
    }),
  )
})

test.run()
