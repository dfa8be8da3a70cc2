/** Untrusted text for people: what is escaped, and where text is cut. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { cutText, printable, printableLines } from '../../../core/printable.ts'

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
  assert.is(printableLines('a\tb\r\nc\u0007'), 'a\tb\r\nc\\u{7}')
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

test.run()
