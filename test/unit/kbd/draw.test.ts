/** Boards in a terminal: at every width, in every script, and with any characters in titles. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Project } from '../../../plugins/kbd/api.ts'
import { type Drawing, drawProject } from '../../../plugins/kbd/cli/draw.ts'
import { fit, widthOf, wrap } from '../../../plugins/kbd/cli/terminal-text.ts'

const NOW = 1_793_491_200_000
const KEY = `ed25519:${'a'.repeat(64)}`

interface Sketch {
  readonly columns: readonly string[]
  /** The cards of the first column. */
  readonly cards: readonly { readonly title: string; readonly claim?: { agent: string | null; leftMs: number } }[]
  readonly conflicts?: readonly number[]
}

function projectOf({ columns, cards, conflicts = [] }: Sketch): Project {
  const idOf = (n: number): string => `${n}`.padStart(8, '0')
  return {
    boards: { b1: { boardId: 'b1', title: 'Release\u001b[2J 1', archived: false } },
    columns: Object.fromEntries(
      columns.map((title, n) => [
        `c${n}`,
        { columnId: `c${n}`, boardId: 'b1', title, rank: String.fromCharCode(65 + n), wipLimit: null, archived: false },
      ]),
    ),
    cards: Object.fromEntries(
      cards.map(({ title, claim }, n) => [
        idOf(n),
        {
          cardId: idOf(n),
          title,
          claim: claim === undefined ? null : idOf(n),
          archived: false,
          labels: n === 0 ? ['docs'] : [],
          place: { boardId: 'b1', columnId: 'c0', rank: `V${idOf(n)}1` },
        },
      ]),
    ),
    claims: Object.fromEntries(
      cards.flatMap(({ claim }, n) =>
        claim === undefined
          ? []
          : [[idOf(n), { ...claim, deviceId: KEY, state: 'held', expiresAtMs: NOW + claim.leftMs }]],
      ),
    ),
    conflicts: Object.fromEntries(conflicts.map((n) => [`x${n}`, { entity: { type: 'card', id: idOf(n) } }])),
    unplaced: [],
  } as unknown as Project
}

const draw = (sketch: Sketch, drawing: Partial<Drawing> = {}): readonly string[] =>
  drawProject(projectOf(sketch), { width: 80, nowMs: NOW, isColoured: false, maxCards: 30, ...drawing })

const board: Sketch = {
  columns: ['To do', 'Doing', 'Done'],
  cards: [
    { title: 'Write the notes of this release and of the one before it', claim: { agent: 'ada', leftMs: 90_000 } },
    { title: '発行ノートを書く', claim: { agent: null, leftMs: 7_200_000 } },
    { title: 'Expired', claim: { agent: 'bob', leftMs: 0 } },
    { title: 'Two\u0007 minds \u202e' },
  ],
  conflicts: [3],
}

test('a board at width 80 has columns side by side, active claims with their time, marked conflicts, and no control characters', () => {
  assert.equal(draw(board), [
    'Release\\u{1b}[2J 1',
    '',
    'To do (4)                  Doing (0)                  Done (0)',
    `${'─'.repeat(25)}  ${'─'.repeat(25)}  ${'─'.repeat(25)}`,
    'Write the notes of this',
    'release and of the one b…',
    '00000000 #docs',
    '▸ 90 s left, ada',
    '発行ノートを書く',
    '00000001',
    '▸ 2 h left, ed25519:aaaa…',
    'Expired',
    '00000002',
    '⚠ Two\\u{7} minds \\u{202e}',
    '00000003',
    '',
    '⚠ 1 open conflict: svc board conflicts',
  ])
})

test('columns share the width; columns that do not fit are drawn below', () => {
  const [, , heads] = draw(board, { width: 200 })
  assert.equal([heads!.indexOf('Doing'), heads!.indexOf('Done')], [67, 134])
  const many = { columns: ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((name) => `${name} column`), cards: [] }
  const narrow = draw(many)
  const rows = narrow.filter((line) => line.includes(' column'))
  assert.equal(
    rows.map((row) => row.match(/[A-G] column/g)!.length),
    [4, 3],
  )
  assert.is(draw(many, { width: 200 }).filter((line) => line.includes(' column')).length, 1)
  for (const line of narrow) assert.ok(widthOf(line) <= 80, line)
  assert.ok(draw(board, { width: 1 }).length > 0, 'a board is drawn even at width 1')
})

test('cards beyond the limit are counted, and all are shown on request', () => {
  const cards = Array.from({ length: 300 }, (_, n) => ({ title: `Card ${n}` }))
  const some = draw({ columns: ['To do'], cards })
  assert.ok(some.includes('and 270 more: --all') && some.includes('Card 29') && !some.includes('Card 30'))
  const all = draw({ columns: ['To do'], cards }, { maxCards: Number.POSITIVE_INFINITY })
  assert.ok(all.includes('Card 299') && !all.some((line) => line.includes('more')))
})

test('colours do not change the text of the lines', () => {
  const plain = draw(board)
  const coloured = draw(board, { isColoured: true })
  assert.ok(coloured.some((line) => line.includes('\u001b[33m▸ 90 s left, ada')))
  assert.equal(
    coloured.map((line) => line.replace(/\u001b\[\d*m/g, '').trimEnd()),
    plain,
  )
  for (const line of plain) assert.not.match(line, /\u001b/)
})

test('an empty project shows a hint; unplaced cards are counted, except archived ones', () => {
  const none = { ...projectOf({ columns: [], cards: [] }), boards: {} } as Project
  const drawing: Drawing = { width: 80, nowMs: NOW, isColoured: false, maxCards: 30 }
  assert.equal(drawProject(none, drawing), ['There is no board yet: svc board add --board <title>'])
  const lost = projectOf({ columns: ['A'], cards: [{ title: 'x' }, { title: 'y' }] })
  const cards = { ...lost.cards, '00000001': { ...lost.cards['00000001']!, archived: true } }
  const lines = drawProject({ ...lost, cards, unplaced: ['00000000', '00000001'] }, drawing)
  assert.ok(lines.includes('1 card has no place on a board.'))
})

test('the width of a text is that in a terminal, and a text is cut between characters', () => {
  const widths: readonly [text: string, width: number][] = [
    ['notes', 5],
    ['ノート', 6],
    ['한글', 4],
    ['e\u0301', 1],
    ['🚀', 2],
    ['❤\ufe0f', 2],
    ['ﾊﾝｶｸ', 4],
    ['', 0],
  ]
  for (const [text, width] of widths) assert.is(widthOf(text), width, text)
  assert.equal(
    [fit('ノート', 6), fit('ノート', 5), fit('ノート', 4), fit('ab', 4)],
    ['ノート', 'ノー…', 'ノ… ', 'ab  '],
  )
  // An escape is not cut.
  assert.equal([fit('ab\\u{202e}c', 9), fit('\\u{1b}[2J', 4), fit('می\u200cخ', 3)], ['ab…      ', '…   ', 'می\u200cخ'])
  assert.equal(wrap('one two three', 7, 2), ['one two', 'three'])
  assert.equal(wrap('a'.repeat(10), 4, 2), ['aaaa', 'aaaaaa'])
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (text, width) => {
      assert.is(widthOf(fit(text, width)), width)
      const lines = wrap(text, width, 3)
      assert.ok(lines.length <= 3)
      for (const line of lines.slice(0, -1)) assert.ok(widthOf(line) <= width, line)
      assert.is(lines.join('').replaceAll(/\s/g, ''), text.replaceAll(/\s/g, ''), 'nothing is lost')
    }),
  )
})

test.run()
