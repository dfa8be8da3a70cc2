/** What the palette says below its list. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { noteInWords } from '../../../plugins/console/page/shell/target.ts'

const test = suite('the note of the palette')
const state = { listedCount: 0, matchCount: 0, isReading: false, notRead: [] }

test('nothing is said to be absent that was not read', () => {
  assert.is(noteInWords({ ...state, isReading: true }), 'Nothing found so far.')
  assert.is(noteInWords(state), 'Nothing found.')
  assert.is(noteInWords({ ...state, notRead: ['runs', 'pushes'] }), 'Nothing found. Not read: runs, pushes.')
  assert.match(
    noteInWords({ ...state, listedCount: 1, matchCount: 1, notRead: ['runs'] }),
    /^Enter .* Not read: runs\.$/,
  )
})

test('a list that is cut says it', () => {
  assert.match(noteInWords({ ...state, listedCount: 40, matchCount: 61 }), /^These are the first 40 of 61\. Enter/)
  assert.not.match(noteInWords({ ...state, listedCount: 40, matchCount: 40 }), /first/)
})

test.run()
