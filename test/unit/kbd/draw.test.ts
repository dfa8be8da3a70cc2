/** Boards in a terminal: at every width, in every script, and whatever stands in a title. */
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

test('a board of 80 places: columns side by side, live claims with their time, conflicts marked, nothing steers the terminal', () => {
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

test('of 200 places each column has its share; where they do not fit, the rest stands below', () => {
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
  assert.ok(draw(board, { width: 1 }).length > 0, 'even where nothing fits')
})

test('many cards are counted, and shown where all are asked for', () => {
  const cards = Array.from({ length: 300 }, (_, n) => ({ title: `Card ${n}` }))
  const some = draw({ columns: ['To do'], cards })
  assert.ok(some.includes('and 270 more: --all') && some.includes('Card 29') && !some.includes('Card 30'))
  const all = draw({ columns: ['To do'], cards }, { maxCards: Number.POSITIVE_INFINITY })
  assert.ok(all.includes('Card 299') && !all.some((line) => line.includes('more')))
})

test('colours are around the same lines, and nothing else', () => {
  const plain = draw(board)
  const coloured = draw(board, { isColoured: true })
  assert.ok(coloured.some((line) => line.includes('\u001b[33m▸ 90 s left, ada')))
  assert.equal(
    coloured.map((line) => line.replace(/\u001b\[\d*m/g, '').trimEnd()),
    plain,
  )
  for (const line of plain) assert.not.match(line, /\u001b/)
})

test('an empty project says what to do; cards without a place are counted, archived ones not', () => {
  const none = { ...projectOf({ columns: [], cards: [] }), boards: {} } as Project
  const drawing: Drawing = { width: 80, nowMs: NOW, isColoured: false, maxCards: 30 }
  assert.equal(drawProject(none, drawing), ['There is no board yet: svc board add --board <title>'])
  const lost = projectOf({ columns: ['A'], cards: [{ title: 'x' }, { title: 'y' }] })
  const cards = { ...lost.cards, '00000001': { ...lost.cards['00000001']!, archived: true } }
  const told = drawProject({ ...lost, cards, unplaced: ['00000000', '00000001'] }, drawing)
  assert.ok(told.includes('1 card has no place on a board.'))
})

test('a text is as wide as a terminal shows it, and is cut between characters', () => {
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
