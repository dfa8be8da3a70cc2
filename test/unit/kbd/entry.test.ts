import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command } from '../../../plugins/kbd/api.ts'
import type { KbdLimits } from '../../../plugins/kbd/engine/limits.ts'
import { failure } from '../../support/throws.ts'
import { type Draft, drivers, openNode, proven, refusalOf, START_MS, type TestNode, uuidOf } from './boards.ts'

const [BOARD, COLUMN, CARD, OTHER] = [1, 2, 3, 4].map(uuidOf) as [string, string, string, string]
const place = { boardId: BOARD, columnId: COLUMN, rank: 'm' }
const board: Command = { type: 'board.create', boardId: BOARD, title: 'Board' }
const title = (text: string, cardId = CARD): Command => ({ type: 'card.update', cardId, title: text })
const claim = (n: number, type: 'claim.acquire' | 'claim.force' = 'claim.acquire', cardId = CARD): Command => ({
  type,
  claimId: uuidOf(100 + n),
  cardId,
  agent: null,
  leaseMs: 60_000,
})

/** A node with a board, a column and a card. `head` is the id of the last command. */
function start(open: () => ReturnType<(typeof drivers)['sql.js']>, limits: Partial<KbdLimits> = {}) {
  const node = openNode(open, limits)
  let head = ''
  const enter = (command: Command, draft: Draft = {}, nowMs = START_MS): string => {
    const made = proven(command, { parents: head === '' ? [] : [head], ...draft })
    return node.ledger.enter(made, nowMs).id
  }
  head = enter(board)
  head = enter({ type: 'column.create', ...place, title: 'Column' })
  head = enter({ type: 'card.create', ...place, cardId: CARD, title: 'Card' })
  return { node, head, enter, refused: (...given: Parameters<typeof enter>) => refusalOf(() => enter(...given)) }
}

const cardOf = ({ ledger }: TestNode): Record<string, unknown> => ({ ...ledger.snapshot('demo').cards[CARD] })

for (const [name, open] of Object.entries(drivers)) {
  test(`${name}: the parents of a command are checked first`, () => {
    const { node, head, enter, refused } = start(open)
    const strict = 'strict'
    assert.is(refused(board, { parents: [] }), 'frontier_mismatch')
    assert.is(refused(title('x'), { parents: ['f'.repeat(64)] }), 'frontier_unknown')
    assert.is(refused(title('x'), { parents: ['f'.repeat(64)], concurrency: strict }), 'frontier_mismatch')
    // A command may be older than its parents, because their clocks may have been ahead.
    const one = enter(title('one'), { concurrency: strict, issuedAtMs: START_MS - 1 })
    assert.is(refused(title('two'), { concurrency: strict }), 'frontier_mismatch')
    const two = enter(title('two'), { device: 2 })
    assert.is(refused(title('x'), { parents: [one], concurrency: strict }), 'frontier_mismatch')
    assert.is(refused(title('x'), { parents: [head, one, two], concurrency: strict }), 'frontier_mismatch')
    // With `merge`, one parent may be an ancestor of another parent.
    enter(title('three'), { parents: [head, one, two] })
    assert.is(node.ledger.standing('demo').headCount, 1)
    failure('frontier_unknown', () => node.ledger.enter(proven(board, { project: 'empty', parents: [head] }), START_MS))
    assert.equal(node.ledger.standing('empty'), { frontier: { heads: [] }, headCount: 0, revision: 0 })
  })

  test(`${name}: a named entity must exist in the past of the parents, and a created entity must not`, () => {
    const { head, enter, refused } = start(open)
    assert.is(refused(title('x', OTHER)), 'entity_not_found')
    assert.is(refused({ type: 'card.create', ...place, cardId: CARD, title: 'again' }), 'entity_exists')
    assert.is(
      refused({ type: 'card.create', ...place, columnId: OTHER, cardId: OTHER, title: 'x' }),
      'entity_not_found',
    )
    assert.is(refused({ type: 'comment.edit', commentId: OTHER, bodyHash: 'a'.repeat(64) }), 'entity_not_found')
    assert.is(refused({ type: 'link.remove', linkId: OTHER }), 'entity_not_found')
    assert.is(refused({ type: 'link.add', linkId: OTHER, from: CARD, to: OTHER, kind: 'blocks' }), 'entity_not_found')
    assert.is(
      refused({ type: 'column.rerank', columnId: COLUMN, places: [{ cardId: OTHER, rank: 'a' }] }),
      'entity_not_found',
    )
    const made = enter({ type: 'card.create', ...place, cardId: OTHER, title: 'other' })
    // The node knows the entity, but the author of the command does not.
    assert.is(refused(title('x', OTHER), { parents: [head] }), 'entity_not_found')
    assert.is(refused({ type: 'card.create', ...place, cardId: OTHER, title: 'mine' }, { device: 2 }), 'taken')
    assert.is(refused(title('x', OTHER), { parents: [made] }), 'taken')
  })

  test(`${name}: a conflict is listed, and disappears when it is resolved`, () => {
    const { node, head, enter, refused } = start(open)
    const [one, two] = [enter(title('one')), enter(title('two'), { device: 2 })]
    const [conflict] = node.ledger.conflicts('demo')
    assert.is(conflict!.kind, 'field')
    assert.equal(
      conflict!.candidates.map(({ id }) => id),
      [one, two].sort(),
    )
    assert.is(conflict!.shown, [one, two].sort()[0])
    assert.is(cardOf(node)['title'], conflict!.candidates[0]!.value)
    const { conflictId, register } = conflict!
    const resolve: Command = {
      type: 'conflict.resolve',
      conflictId,
      register,
      candidates: [one, two].sort(),
      choose: { id: two },
    }
    assert.is(refused(resolve, { parents: [one] }), 'conflict_stale')
    assert.is(refused(resolve, { parents: [head] }), 'conflict_stale')
    enter(resolve, { parents: [one, two] })
    assert.is(cardOf(node)['title'], 'two')
    assert.equal(node.ledger.conflictIds('demo'), [])
    assert.is(refused(resolve, { parents: [one, two] }), 'conflict_not_found')
    failure('conflict_not_found', () => node.ledger.conflict('demo', conflictId))
  })

  test(`${name}: one claim is held at a time, and its expiry is computed when it is read`, () => {
    const { node, head, enter, refused } = start(open)
    const { ledger } = node
    const held = enter(claim(1))
    const at = { parents: [held] }
    assert.is(refused(claim(2), { ...at, device: 2 }), 'claim_held')
    assert.is(refused(claim(2), at), 'claim_held', 'a second acquire of the same device')
    // `claim_held` is checked before the frontier, so that a device that has not seen the claim learns who holds it.
    assert.is(refused(claim(2), { device: 2, parents: [head] }), 'claim_held')
    assert.is(refused(claim(2, 'claim.force'), { device: 2, parents: [head] }), 'frontier_mismatch')
    assert.is(
      refused({ type: 'claim.renew', claimId: uuidOf(101), cardId: CARD, leaseMs: 60_000 }, { ...at, device: 2 }),
      'claim_not_held',
    )
    assert.is(refused({ type: 'claim.release', claimId: uuidOf(9), cardId: CARD }, at), 'claim_not_held')
    assert.is(refused(claim(1, 'claim.force'), { ...at, device: 2 }), 'entity_exists')
    const text = ledger.snapshotText('demo')
    assert.is(ledger.claims('demo', 'held', START_MS + 59_999).length, 1)
    assert.is(ledger.claims('demo', 'held', START_MS + 60_000).length, 0)
    assert.is(ledger.claims('demo', 'expired', START_MS + 60_000).length, 1)
    assert.is(ledger.snapshotText('demo'), text)
    // An expired claim cannot be renewed, and the card is free for devices that have seen the claim.
    assert.is(
      refused(
        { type: 'claim.renew', claimId: uuidOf(101), cardId: CARD, leaseMs: 60_000 },
        { ...at, issuedAtMs: START_MS + 60_000 },
        START_MS + 60_000,
      ),
      'claim_not_held',
    )
    assert.is(
      refused(claim(2), { device: 2, parents: [head], issuedAtMs: START_MS + 60_000 }, START_MS + 60_000),
      'frontier_mismatch',
    )
    enter(claim(2), { ...at, device: 2, issuedAtMs: START_MS + 60_000 }, START_MS + 60_000)
    const [now] = ledger.claims('demo', 'all', START_MS + 60_000)
    assert.equal([now!.claimId, now!.generation, now!.state], [uuidOf(102), 2, 'held'])
  })

  test(`${name}: a peer's command is checked by itself and its ancestors only`, () => {
    const { node, head } = start(open, { maxDivergence: 0, maxDeviceHeads: 1, maxCommands: 3 })
    const { ledger } = node
    const admit = (command: Command, draft: Draft = {}): string =>
      refusalOf(() => ledger.admit(proven(command, { parents: [head], ...draft }), START_MS))
    assert.is(admit(board, { parents: [] }), 'project_mismatch')
    assert.is(admit(title('x'), { parents: ['e'.repeat(64)] }), 'frontier_unknown')
    assert.is(admit(title('x'), { issuedAtMs: START_MS - 1 }), 'taken')
    assert.is(admit(title('x'), { issuedAtMs: START_MS + 30_001 }), 'taken')
    // Limits of the own entry do not apply to a peer's commands, because their descendants would be blocked for ever.
    for (const n of [1, 2, 3]) assert.is(admit(title('x', uuidOf(900 + n)), { device: n }), 'taken')
    assert.is(ledger.snapshot('demo').cards[uuidOf(901)], undefined, 'the card is shown once it is created')
    assert.is(admit({ type: 'card.create', ...place, cardId: uuidOf(901), title: 'late' }, { device: 9 }), 'taken')
    assert.ok(ledger.snapshot('demo').cards[uuidOf(901)])
  })

  test(`${name}: commands are listed in order of arrival; a frontier covers its ancestors`, () => {
    const { node, head, enter } = start(open)
    const { ledger } = node
    const [one, two] = [enter(title('one')), enter(title('two'), { device: 2 })]
    const page = ledger.commands('demo', undefined, 2)!
    assert.is(page.more, true)
    const rest = ledger.commands('demo', page.commands[1]!.id, 10)!
    assert.equal(
      rest.commands.map(({ id }) => id),
      [head, one, two],
    )
    assert.is(rest.more, false)
    assert.is(ledger.commands('demo', 'f'.repeat(64), 10), undefined)
    assert.equal([ledger.covers('demo', [one], [head, one]), ledger.covers('demo', [one], [two])], [true, false])
    assert.equal([ledger.revisionOf('demo', [one]), ledger.revisionOf('demo', [one, two])], [4, 5])
    assert.equal(
      ledger.missing('demo', [one], 1_000_000).commands.map(({ id }) => id),
      [two],
    )
    assert.is(ledger.missing('demo', [], 1).commands.length, 1, 'at least one command, so that the exchange ends')
  })
}

test.run()
