/** Parts of the commands of boards: ranks, names that a user types, and scopes. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { commandSchema } from '../../../plugins/kbd/api/command-schemas.ts'
import type { Project } from '../../../plugins/kbd/api.ts'
import { findCard, findColumn } from '../../../plugins/kbd/cli/find.ts'
import { COMMAND_FORMS } from '../../../plugins/kbd/engine/commands/fields.ts'
import { rankAfter, rankAtEnd } from '../../../plugins/protocol/ranks.ts'
import { allows, isScope, projectOfScope } from '../../../plugins/protocol/scopes.ts'

const RANK = /^(?=.{1,64}$)[0-9A-Za-z]*[1-9A-Za-z]$/
const KEY = `ed25519:${'a'.repeat(64)}`

test('rankAfter gives a valid rank that sorts after the given one', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9A-Za-z]{0,62}[1-9A-Za-z]$/), (last) => {
      const next = rankAfter(last)
      assert.ok(next > last && RANK.test(next), `${last} → ${next}`)
    }),
  )
  let rank: string | undefined
  for (let i = 0; i < 10_000; i++) {
    const next = rankAfter(rank)
    assert.ok((rank === undefined || next > rank) && RANK.test(next) && next.length <= 6, `${rank} → ${next}`)
    rank = next
  }
  assert.throws(() => rankAfter('z'.repeat(64)), /no rank left/)
  // A card with the last rank does not prevent further cards.
  const last = 'z'.repeat(64)
  assert.is(rankAtEnd([]), rankAfter(undefined))
  assert.is(rankAtEnd([last]), rankAfter(undefined))
  assert.is(rankAtEnd(['V', last]), rankAfter('V'))
  assert.is(rankAtEnd(['V', 'k']), rankAfter('k'))
})

const now = 1_793_491_200_000
const project = {
  boards: { b1: { boardId: 'b1', title: 'Release\u001b[2J', archived: false } },
  columns: {
    c2: { columnId: 'c2', boardId: 'b1', title: 'Done', rank: 'W', wipLimit: null, archived: false },
    c1: { columnId: 'c1', boardId: 'b1', title: 'To do', rank: 'V', wipLimit: 3, archived: false },
    c0: { columnId: 'c0', boardId: 'b1', title: 'Gone', rank: 'A', wipLimit: null, archived: true },
  },
  cards: Object.fromEntries(
    [
      ['11111111-1', 'Write the notes', 'V', 'k1'],
      ['22222222-2', 'Write the tests', 'U', 'k2'],
      ['33333333-3', 'Write', 'W', null],
    ].map(([cardId, title, rank, claim]) => [
      cardId,
      { cardId, title, claim, archived: false, labels: [], place: { boardId: 'b1', columnId: 'c1', rank } },
    ]),
  ),
  claims: {
    k1: { claimId: 'k1', cardId: '11111111-1', agent: 'ada', deviceId: KEY, state: 'held', expiresAtMs: now + 90_000 },
    k2: { claimId: 'k2', cardId: '22222222-2', agent: null, deviceId: KEY, state: 'held', expiresAtMs: now },
  },
  conflicts: { x: { conflictId: 'x', entity: { type: 'card', id: '33333333-3' } } },
  unplaced: [],
} as unknown as Project

test('cards and columns are found by the beginning of title or id; an exact title has priority; none and several are different errors', () => {
  assert.is(findCard(project, 'write THE n').cardId, '11111111-1')
  assert.is(findCard(project, '2222').cardId, '22222222-2')
  assert.is(findCard(project, 'write').cardId, '33333333-3', 'the exact title')
  assert.throws(() => findCard(project, 'write the'), /More than one card/)
  assert.throws(() => findCard(project, ''), /There is no card/)
  assert.is(findColumn(project, 'do').columnId, 'c2')
  assert.throws(() => findColumn(project, 'gone'), /There is no column/)
  const [column] = Object.values(project.columns).filter(({ columnId }) => columnId === 'c2')
  const two = {
    ...project,
    boards: { ...project.boards, b2: { boardId: 'b2', title: 'Other', archived: false } },
    columns: {
      ...project.columns,
      c3: { ...column, columnId: 'c3', boardId: 'b2' },
      c4: { ...column, columnId: 'c4', boardId: 'b2', title: 'Later' },
    },
  } as Project
  assert.throws(() => findColumn(two, 'done'), /More than one column/)
  assert.is(findColumn(two, 'done', 'b2').columnId, 'c3', 'the board of the card comes first')
  assert.is(findColumn(two, 'later', 'b1').columnId, 'c4', 'and then the others')
  const many = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [`x${n}`, { cardId: `x${n}`, title: `Same ${n}`, archived: false }]),
  )
  assert.throws(() => findCard({ ...project, cards: many } as unknown as Project, 'same'), /and 18 more$/)
})

test('scopes that can be given name a project, and verbs of commands', () => {
  const families = [{ name: 'kbd-control' }, { name: 'kbd-content' }]
  const types = Object.keys(COMMAND_FORMS)
  const words = ['board', 'column', 'card', 'label', 'link', 'comment', 'claim']
  assert.equal([...new Set(types.map((type) => type.split('.')[0]))], [...words, 'conflict'])
  for (const verb of [...types, ...words, 'push']) assert.ok(isScope(`kbd-control:demo#${verb}`, families), verb)
  for (const verb of ['conflict', 'card.explode', 'nothing', '', 'claim.*', 'toString'])
    assert.not(isScope(`kbd-control:demo#${verb}`, families), verb)
  assert.ok(isScope('kbd-control:*#claim,push', families))
  for (const scope of [
    'kbd-control:demo#',
    'kbd-control:demo#push,push',
    'kbd-control:demo##push',
    'kbd-control#push',
    'other:demo',
    ':demo',
    'kbd-control:De',
  ])
    assert.not(isScope(scope, families), scope)
  assert.equal(['kbd-control:demo#push', 'kbd-control:*#push'].map(projectOfScope), ['demo', undefined])
  const verbs: readonly [verb: string, allowing: readonly string[], others: readonly string[]][] = [
    [
      'push',
      ['kbd-control:demo', 'kbd-control:*', 'kbd-control:demo#claim,push', 'kbd-control:*#push'],
      ['kbd-control:*#claim', 'kbd-content:demo', 'kbd-control:demo2', 'kbd-control:demo#claim#push'],
    ],
    ['claim.acquire', ['kbd-control:demo#claim,comment'], ['kbd-control:demo#claim.force', 'kbd-content:demo']],
    ['claim.force', ['kbd-control:demo', 'kbd-control:demo#claim.force'], ['kbd-control:demo#claim,card']],
    ['comment.redact', ['kbd-control:demo#claim,comment'], ['kbd-control:demo#claim,card']],
    ['conflict.resolve', ['kbd-control:demo'], ['kbd-control:demo#claim,comment,card']],
    ['', [], ['kbd-control:demo#claim,comment,card']],
  ]
  for (const [verb, allowing, others] of verbs)
    for (const scope of [...allowing, ...others])
      assert.is(allows([scope], 'kbd-control', 'demo', verb), allowing.includes(scope), `${scope} ${verb}`)
})

test('the contract has every command with its members, and the same required members as the engine', () => {
  const shapes = new Map(
    commandSchema.oneOf!.map(({ properties, required }) => [
      properties!['type']!.const!,
      { names: Object.keys(properties!), required: required! },
    ]),
  )
  assert.equal([...shapes.keys()].sort(), Object.keys(COMMAND_FORMS).sort())
  for (const [type, { names, required }] of shapes) {
    const form = COMMAND_FORMS[type]!
    // The engine reports a missing member first, then an unknown member, and checks values last.
    const missing = new Set<string>()
    for (let given: Record<string, unknown> = {}; ; ) {
      const problem = form(given, '')!
      const name = problem?.slice(1)
      if (name === undefined || Object.hasOwn(given, name) || name === '') break
      missing.add(name)
      given = { ...given, [name]: undefined }
    }
    assert.equal([...missing].sort(), [...required].sort(), type)
    const whole = Object.fromEntries(required.map((name) => [name, undefined]))
    assert.is(form({ unknown: 1, ...whole }, ''), '/unknown', type)
    for (const name of names) assert.is.not(form({ [name]: undefined, ...whole }, ''), '/unknown', `${type} ${name}`)
  }
})

test.run()
