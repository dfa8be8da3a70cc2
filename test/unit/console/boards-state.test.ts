/** The boards of the console: how a stream changes the state, and which parts of the state are shown in which order. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { gapAt, rowAt, topsOf } from '../../../plugins/console/page/lib/long-lists.ts'
import {
  arrange,
  boardsOf,
  conflictsByCard,
  heldClaim,
  matcher,
  timeLeft,
} from '../../../plugins/console/page/views/boards/arrange.ts'
import { heightOf, linesOf } from '../../../plugins/console/page/views/boards/columns/heights.ts'
import { cardFrom, spotFrom } from '../../../plugins/console/page/views/boards/columns/selection.ts'
import { newConflicts, shownProject, showProject } from '../../../plugins/console/page/views/boards/shown-project.ts'
import { applyEvents, type Conflict } from '../../../plugins/console/page/views/boards/state.ts'
import { cardOf, claimOf, projectOf } from './boards-parts.ts'

test('a snapshot and patches give the state; unchanged parts stay the same objects', () => {
  const start = projectOf({ cards: [cardOf('a', 'c1', 'V'), cardOf('b', 'c1', 'W')] })
  const { project } = applyEvents(undefined, [
    { type: 'RUN_STARTED' },
    { type: 'STATE_SNAPSHOT', snapshot: start },
    {
      type: 'STATE_DELTA',
      delta: [
        { op: 'add', path: '/cards/a', value: cardOf('a', 'c2', 'V') },
        { op: 'replace', path: '/revision', value: 9 },
        { op: 'add', path: '/unplaced/0', value: 'x' },
      ],
    },
    { type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/unplaced/0' }] },
  ])
  assert.is(project!.cards['a']!.place!.columnId, 'c2')
  assert.is(project!.cards['b'], start.cards['b'])
  assert.is(project!.boards, start.boards)
  assert.is(project!.revision, 9)
  assert.equal(project!.unplaced, [])
  assert.is(start.cards['a']!.place!.columnId, 'c1', 'the previous state is not changed')
})

test('a patch that does not apply is refused, and so is a patch before the snapshot', () => {
  const delta = [{ op: 'replace', path: '/cards/zz/title', value: 1 }]
  assert.throws(
    () => applyEvents(projectOf({}), [{ type: 'STATE_DELTA', delta }]),
    (error: unknown) => error instanceof RangeError,
  )
  assert.throws(() => applyEvents(undefined, [{ type: 'STATE_DELTA', delta: [] }]), /before the state/)
})

test('conflicts that the stream announces are returned', () => {
  const conflict = { conflictId: 'k', entity: { type: 'card', id: 'a' } }
  const { opened } = applyEvents(projectOf({}), [
    { type: 'CUSTOM', name: 'svc.kbd.conflict', value: conflict },
    { type: 'CUSTOM', name: 'another', value: 1 },
  ])
  assert.equal(opened, [conflict])
  const project = { ...projectOf({}), conflicts: { k: conflict as never } }
  assert.is(conflictsByCard(project).get('a')!.length, 1)
})

test('columns and cards are sorted by rank and then by id, without archived ones', () => {
  const project = projectOf({
    cards: [
      cardOf('b', 'c1', 'V'),
      cardOf('a', 'c1', 'V'),
      cardOf('z', 'c1', 'A'),
      { ...cardOf('gone', 'c1', 'B'), archived: true },
      cardOf('other', 'c2', 'V'),
      { ...cardOf('nowhere', 'c1', 'V'), place: null },
    ],
  })
  const lanes = arrange(project, 'board')
  assert.equal(
    lanes.map(({ column, cards }) => [column.columnId, ...cards.map(({ cardId }) => cardId)]),
    [
      ['c1', 'z', 'a', 'b'],
      ['c2', 'other'],
    ],
  )
  const pending = { cardId: 'z', place: { boardId: 'board', columnId: 'c2', rank: 'z' } }
  assert.equal(
    arrange(project, 'board', { pending })[1]!.cards.map(({ cardId }) => cardId),
    ['other', 'z'],
  )
  assert.equal(
    boardsOf(project).map(({ title }) => title),
    ['Release'],
  )
})

test('a filter matches all words in title or labels, or a hit in the texts; the total does not change', () => {
  const isShown = matcher('WRITE docs', new Set(['found']))!
  assert.ok(isShown({ ...cardOf('a', 'c1', 'V'), title: 'Write it', labels: ['docs'] }))
  assert.not(isShown({ ...cardOf('a', 'c1', 'V'), title: 'Write it' }))
  assert.ok(isShown(cardOf('found', 'c1', 'V')))
  assert.is(matcher('  ', new Set()), undefined)
  const lanes = arrange(projectOf({ cards: [cardOf('a', 'c1', 'V')] }), 'board', { isShown: () => false })
  assert.equal([lanes[0]!.cards.length, lanes[0]!.total], [0, 1])
})

test('the remaining time counts down to the end of the lease', () => {
  assert.equal(timeLeft(3_729_000, 0), { text: '1:02:09', tone: 'plain' })
  assert.equal(timeLeft(245_000, 0), { text: '4:05', tone: 'plain' })
  assert.equal(timeLeft(30_500, 0), { text: '0:30', tone: 'warn' })
  assert.equal(
    timeLeft(1_800_900, 0),
    { text: '30:00', tone: 'plain' },
    'never longer than the lease, though the clock is a tick old',
  )
  assert.equal(timeLeft(5, 5), { text: 'ended', tone: 'ended' })
})

test('a claim is held until its end, by the clock of the page', () => {
  const card = { ...cardOf('a', 'c1', 'V'), claim: 'k' }
  const project = { ...projectOf({ cards: [card] }), claims: { k: claimOf('k', 'a', 1_000) } }
  assert.is(heldClaim(project, card, 999)!.claimId, 'k')
  assert.is(heldClaim(project, card, 1_000), undefined)
  assert.is(heldClaim(project, cardOf('a', 'c1', 'V'), 0), undefined)
})

test('arrow keys move from card to card, skip empty columns, and stop at the edges', () => {
  const lanes = arrange(
    projectOf({ cards: [cardOf('a', 'c1', 'V'), cardOf('b', 'c1', 'W'), cardOf('d', 'c2', 'V')] }),
    'board',
  )
  const from = (id: string | undefined, direction: 'up' | 'down' | 'left' | 'right'): string | undefined =>
    cardFrom(lanes, id, direction)?.cardId
  assert.equal([from(undefined, 'down'), from('a', 'down'), from('b', 'down'), from('a', 'up')], ['a', 'b', 'b', 'a'])
  assert.equal([from('b', 'right'), from('d', 'left'), from('d', 'right')], ['d', 'a', 'd'])
  assert.equal(spotFrom(lanes, 'a', 'down'), { lane: 0, index: 1 })
  assert.equal(spotFrom(lanes, 'b', 'right'), { lane: 1, index: 1 })
  assert.is(spotFrom(lanes, 'a', 'up'), undefined)
  assert.is(spotFrom(lanes, 'd', 'right'), undefined)
})

test('rows of different heights are found by their position', () => {
  const tops = topsOf([10, 20, 30], (height) => height)
  assert.equal(tops, [0, 10, 30, 60])
  assert.equal(
    [-5, 0, 9, 10, 29, 30, 59, 99].map((y) => rowAt(tops, y)),
    [0, 0, 0, 1, 1, 2, 2, 2],
  )
  assert.equal(
    [0, 6, 19, 21, 59].map((y) => gapAt(tops, y)),
    [0, 1, 1, 2, 3],
  )
  assert.is(gapAt([0], 40), 0)
})

test('the height of a card depends on its title and its lines, and is bounded', () => {
  assert.is(linesOf(''), 1)
  assert.is(linesOf('A short one'), 1)
  assert.is(linesOf('Replay after a restart keeps its epoch and more'), 2)
  assert.is(linesOf('x'.repeat(65_536)), 3)
  const plain = cardOf('a', 'c1', 'V')
  assert.is(heightOf({ ...plain, labels: ['docs'] }) - heightOf(plain), 26)
  assert.is(heightOf({ ...plain, claim: 'k' }) - heightOf(plain), 26)
})

test('a new conflict of a project is not one of the next project', () => {
  const project = projectOf({})
  showProject(project.project)
  shownProject.value = project
  newConflicts.value = [{} as Conflict]
  showProject(project.project)
  assert.is(newConflicts.value.length, 1, 'the same project')
  showProject('another')
  assert.equal([shownProject.value, newConflicts.value], [undefined, []])
})

test.run()
