/** The boards of the console: how a change is taken back, what a confirmation says, and which cards a filter shows. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { archivedIn } from '../../../plugins/console/page/views/boards/archived.ts'
import { conflictsByCard } from '../../../plugins/console/page/views/boards/arrange.ts'
import { type CardFilter, choicesOf, testOf } from '../../../plugins/console/page/views/boards/card-tests.ts'
import { inverseOf, isUntouched } from '../../../plugins/console/page/views/boards/changes/inverse.ts'
import { factsOf, sentenceOf } from '../../../plugins/console/page/views/boards/words.ts'
import type { Card, Command, Project } from '../../../plugins/kbd/api.ts'
import { cardOf, claimOf, projectOf } from './boards-parts.ts'

const card: Card = { ...cardOf('a', 'c1', 'V'), priority: 2, assignee: 'Ada', labels: ['docs'], claim: 'k' }
const project: Project = {
  ...projectOf({ cards: [card, cardOf('b', 'c2', 'V'), { ...cardOf('z', 'c1', 'X'), archived: true }] }),
  claims: { k: claimOf('k', 'a', 100_000) },
}
const inverse = (...commands: readonly Command[]): readonly Command[] | undefined =>
  inverseOf(commands, { before: project, nowMs: 40_000, newId: () => 'new' })

/** The project after commands, as far as the commands of these tests write it. */
function after(command: Command): Project {
  const write = (id: string, change: Partial<Card>): Project => ({
    ...project,
    cards: { ...project.cards, [id]: { ...project.cards[id]!, ...change } },
  })
  switch (command.type) {
    case 'card.move':
      return write(command.cardId, { place: { ...command } })
    case 'card.archive':
    case 'card.restore':
      return write(command.cardId, { archived: command.type === 'card.archive' })
    case 'card.update': {
      const { type: _, cardId, ...change } = command
      return write(cardId, change)
    }
    case 'label.add':
      return write(command.cardId, { labels: [...project.cards[command.cardId]!.labels, command.name] })
    case 'label.remove':
      return write(command.cardId, { labels: [] })
    default:
      throw new Error(command.type)
  }
}

test('each change of a card is taken back by the command that writes what was there before', () => {
  const cases: readonly [Command, Command][] = [
    [
      { type: 'card.move', cardId: 'a', boardId: 'board', columnId: 'c2', rank: 'W' },
      { type: 'card.move', cardId: 'a', boardId: 'board', columnId: 'c1', rank: 'V' },
    ],
    [
      { type: 'card.update', cardId: 'a', title: 'New', priority: null },
      { type: 'card.update', cardId: 'a', title: 'Card a', priority: 2 },
    ],
    [
      { type: 'card.archive', cardId: 'a' },
      { type: 'card.restore', cardId: 'a' },
    ],
    [
      { type: 'card.restore', cardId: 'z' },
      { type: 'card.archive', cardId: 'z' },
    ],
    [
      { type: 'label.add', cardId: 'a', name: 'ui' },
      { type: 'label.remove', cardId: 'a', name: 'ui' },
    ],
    [
      { type: 'label.remove', cardId: 'a', name: 'docs' },
      { type: 'label.add', cardId: 'a', name: 'docs' },
    ],
  ]
  for (const [command, back] of cases) {
    assert.equal(inverse(command), [back])
    assert.ok(isUntouched([command], after(command)), `${command.type} stands`)
    assert.not(isUntouched([command], project), `${command.type} does not stand before it`)
    // A later change of the same value is not overwritten.
    if (command.type === 'card.update') assert.not(isUntouched([command], after({ ...command, title: 'Later' })))
  }
  const claim = { type: 'claim.release', claimId: 'k', cardId: 'a' } as const
  assert.equal(inverse(claim), [{ type: 'claim.acquire', claimId: 'new', cardId: 'a', agent: null, leaseMs: 60_000 }])
})

test('what is created is archived as a whole, a rerank gives each card its rank back', () => {
  assert.equal(
    inverse(
      { type: 'card.create', cardId: 'n', boardId: 'board', columnId: 'c1', rank: 'W', title: 'New' },
      { type: 'label.add', cardId: 'n', name: 'ui' },
    ),
    [{ type: 'card.archive', cardId: 'n' }],
  )
  assert.equal(
    inverse(
      { type: 'board.create', boardId: 'n', title: 'New' },
      { type: 'column.create', columnId: 'm', boardId: 'n', title: 'To do', rank: 'V' },
    ),
    [{ type: 'board.archive', boardId: 'n', archived: true }],
  )
  const places = [
    { cardId: 'a', rank: 'V' },
    { cardId: 'b', rank: 'W' },
  ]
  assert.equal(inverse({ type: 'column.rerank', columnId: 'c1', places }), [
    { type: 'card.move', cardId: 'b', boardId: 'board', columnId: 'c2', rank: 'V' },
    { type: 'column.rerank', columnId: 'c1', places: [{ cardId: 'a', rank: 'V' }] },
  ])
})

test('what was created or released is not taken back after somebody has changed it', () => {
  const made = {
    type: 'card.create',
    cardId: 'n',
    boardId: 'board',
    columnId: 'c1',
    rank: 'W',
    title: 'Card n',
  } as const
  const of = (card: Card): Project => ({ ...project, cards: { ...project.cards, n: card } })
  const fresh = cardOf('n', 'c1', 'W')
  assert.ok(isUntouched([made], of(fresh)))
  const changes: readonly Partial<Card>[] = [
    { title: 'Renamed' },
    { place: { boardId: 'board', columnId: 'c2', rank: 'W' } },
    { place: { boardId: 'board', columnId: 'c1', rank: 'X' } },
    { bodyHash: 'f'.repeat(64) },
    { assignee: 'Grace' },
    { archived: true },
    { claim: 'k' },
    { labels: ['urgent'] },
  ]
  for (const change of changes) assert.not(isUntouched([made], of({ ...fresh, ...change })), JSON.stringify(change))
  const label = { type: 'label.add', cardId: 'n', name: 'urgent' } as const
  assert.ok(isUntouched([made, label], of({ ...fresh, labels: ['urgent'] })), 'a label of its own')
  assert.not(isUntouched([made], project), 'a card that is not there')
  const release = { type: 'claim.release', claimId: 'k', cardId: 'a' } as const
  assert.ok(isUntouched([release], { ...project, cards: { a: { ...card, claim: null } } }))
  assert.not(isUntouched([release], { ...project, cards: { a: { ...card, claim: 'later' } } }), 'claimed again')
  const column = { type: 'column.create', columnId: 'c3', boardId: 'board', title: 'Later', rank: 'X' } as const
  assert.ok(isUntouched([column], project))
  assert.not(isUntouched([column], of(cardOf('n', 'c3', 'V'))), 'a card is in the column')
  const board = { type: 'board.create', boardId: 'board', title: 'Release' } as const
  assert.ok(isUntouched([board], project))
  assert.not(isUntouched([{ ...board, title: 'Before it was renamed' }], project))
})

test('what cannot be taken back is asked about', () => {
  const commands: readonly Command[] = [
    { type: 'comment.redact', commentId: 'k' },
    { type: 'claim.force', claimId: 'n', cardId: 'a', agent: null, leaseMs: 60_000 },
    { type: 'conflict.resolve', conflictId: 'x', register: 'card/a/title', candidates: [], choose: { id: '1' } },
  ]
  for (const command of commands) assert.is(inverse(command), undefined, command.type)
  // One of several is enough.
  assert.is(inverse({ type: 'card.archive', cardId: 'a' }, commands[0]!), undefined)
})

test('a confirmation has the titles, from where, to where and the chosen value, and no id', () => {
  const conflict = {
    conflictId: 'x',
    kind: 'field' as const,
    entity: { type: 'card', id: 'a' },
    register: 'card/a/title',
    candidates: [
      { id: '1', value: 'As Ada says', deviceId: 'd', issuedAtMs: 0 },
      { id: '2', value: 'As Grace says', deviceId: 'd', issuedAtMs: 0 },
    ],
    shown: '1',
  }
  const conflictedProject = { ...project, conflicts: { x: conflict } }
  const lines = (command: Command): readonly string[] =>
    factsOf(command, conflictedProject, () => 'Grace, phone').map(({ name, text, hash }) => `${name}: ${text ?? hash}`)
  const move = { type: 'card.move', cardId: 'a', boardId: 'board', columnId: 'c2', rank: 'W' } as const
  assert.is(sentenceOf(move, conflictedProject), 'Move “Card a” from c1 to c2')
  assert.equal(lines(move), ['Card: Card a', 'From: c1, Release', 'To: c2, Release'])
  assert.equal(lines({ type: 'card.update', cardId: 'a', priority: 0, assignee: null }), [
    'Card: Card a',
    'Priority: 2, normal → 0, urgent',
    'Assignee: Ada → none',
  ])
  const resolve = {
    type: 'conflict.resolve',
    conflictId: 'x',
    register: 'card/a/title',
    candidates: ['1', '2'],
  } as const
  assert.equal(lines({ ...resolve, choose: { id: '2' } }), [
    'Card: Card a',
    'Keep: As Grace says',
    'Instead of: As Ada says',
  ])
  assert.equal(lines({ ...resolve, choose: { value: 'Mine' } }), [
    'Card: Card a',
    'Keep: Mine',
    'Instead of: As Ada says',
    'Instead of: As Grace says',
  ])
  assert.equal(lines({ type: 'claim.force', claimId: 'n', cardId: 'a', agent: null, leaseMs: 60_000 }), [
    'Card: Card a',
    'Taken from: Grace, phone',
    'For: 1 min',
  ])
})

test('filters by label, assignee, holder and conflict leave the cards that have all of them', () => {
  const conflicts = { x: { ...CONFLICT, entity: { type: 'card', id: 'b' } } }
  const conflictedProject = { ...project, conflicts }
  const shown = (over: Partial<CardFilter>, nowMs = 50_000): readonly string[] => {
    const isShown = testOf(
      { q: '', label: '', assignee: '', holder: '', conflict: '', ...over },
      { project: conflictedProject, hitCardIds: new Set(), conflicted: conflictsByCard(conflictedProject), nowMs },
    )
    return Object.values(conflictedProject.cards)
      .filter((one) => isShown === undefined || isShown(one))
      .map(({ cardId }) => cardId)
  }
  assert.equal(shown({}), ['a', 'b', 'z'])
  assert.equal(shown({ label: 'docs' }), ['a'])
  assert.equal(shown({ assignee: 'Ada' }), ['a'])
  assert.equal(shown({ conflict: 'yes' }), ['b'])
  assert.equal(shown({ holder: 'any' }), ['a'])
  assert.equal(shown({ holder: 'any' }, 200_000), [], 'the claim has ended')
  assert.equal(shown({ label: 'docs', conflict: 'yes' }), [])
  assert.equal(shown({ q: 'card b' }), ['b'])
  const device = conflictedProject.claims['k']!.deviceId
  assert.equal(choicesOf(conflictedProject, 'board', 50_000), {
    labels: ['docs'],
    assignees: ['Ada'],
    holders: [device],
  })
})

test('the archive lists boards, columns and cards with the command that restores each', () => {
  assert.equal(
    archivedIn(project).map(({ kind, title, of, restore }) => [kind, title, of, restore.type]),
    [
      ['board', 'Old', undefined, 'board.archive'],
      ['card', 'Card z', 'c1', 'card.restore'],
    ],
  )
})

const CONFLICT = {
  conflictId: 'x',
  kind: 'field' as const,
  entity: { type: 'card', id: 'a' },
  register: 'card/a/title',
  candidates: [],
  shown: '1',
}

test.run()
