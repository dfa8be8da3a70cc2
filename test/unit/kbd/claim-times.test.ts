/**
 * Claims by the times of their authors. Each test is about one rule; the last one compares random histories of clocks
 * that are off by up to a year with the oracle.
 */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Claim, Command } from '../../../plugins/kbd/api.ts'
import { checkKbd } from '../../../plugins/kbd/engine/check.ts'
import type { ProvenCommand } from '../../../plugins/kbd/engine/ledger.ts'
import { defaultLimits } from '../../../plugins/kbd/engine/limits.ts'
import { countOf } from '../../support/count.ts'
import { failure } from '../../support/throws.ts'
import {
  codecs,
  drivers,
  openNode,
  openQuickNode,
  proven,
  refusalOf,
  START_MS,
  type TestNode,
  uuidOf,
} from './boards.ts'
import { foldByForce } from './oracle.ts'

const [BOARD, COLUMN, CARD, OTHER] = [1, 2, 3, 4].map(uuidOf) as [string, string, string, string]
const place = { boardId: BOARD, columnId: COLUMN, rank: 'm' }
const YEAR_MS = 365 * 86_400_000
const S = 1_000
const open = drivers['node:sqlite']!

const base: readonly Command[] = [
  { type: 'board.create', boardId: BOARD, title: 'Board' },
  { type: 'column.create', ...place, title: 'Column' },
  { type: 'card.create', ...place, cardId: CARD, title: 'Card' },
  { type: 'card.create', ...place, cardId: OTHER, title: 'Other' },
]

type Kind = 'acquire' | 'force' | 'renew' | 'release'

/** A claim command of a device on a card. */
function about(kind: Kind, n: number, leaseMs: number, cardId = CARD): Command {
  const shared = { claimId: uuidOf(100 + n), cardId }
  if (kind === 'release') return { type: 'claim.release', ...shared }
  if (kind === 'renew') return { type: 'claim.renew', ...shared, leaseMs }
  return { type: `claim.${kind}`, ...shared, agent: null, leaseMs }
}

/** A node with two cards. Times are seconds after the start. */
function start() {
  const node = openNode(open)
  const { ledger } = node
  const heads = (): readonly string[] => ledger.standing('demo').frontier.heads
  /** Adds a command as a peer's; by default all is in its past. */
  const take = (command: Command, atS: number, device: number, parents = heads(), nowS = 0) =>
    ledger.admit(proven(command, { device, parents, issuedAtMs: START_MS + atS * S }), START_MS + nowS * S)!
  const enter = (command: Command, atS: number, device: number): string =>
    refusalOf(() =>
      ledger.enter(proven(command, { device, parents: heads(), issuedAtMs: START_MS + atS * S }), START_MS + atS * S),
    )
  for (const command of base) take(command, 0, 1)
  /** The claim of a card that is in force at a time, with the end of its lease; undefined if the card is free. */
  const heldAt = (atS: number): readonly [n: number, endS: number] | undefined => {
    const [held, ...more] = ledger.claims('demo', 'held', START_MS + atS * S)
    assert.is(more.length, 0)
    return held && [Number.parseInt(held.claimId.slice(-4), 16) - 100, (held.expiresAtMs - START_MS) / S]
  }
  const claim = (n: number): Claim => ledger.snapshot('demo').claims[uuidOf(100 + n)]!
  return { node, ledger, heads, take, enter, heldAt, claim }
}

const YEAR_S = YEAR_MS / S

test('a command of a peer may have any time; one ahead of the clock here is recorded and marked', () => {
  const { node, ledger, take, heads } = start()
  const title = (text: string): Command => ({ type: 'card.update', cardId: CARD, title: text })
  const near = take(title('near'), 30, 2)
  const far = take(title('far'), 8.64e12 - START_MS / S - 86_400, 2)
  const before = take(title('before'), -START_MS / S, 2)
  assert.equal(heads(), [before.id])
  const outcomes = new Map(node.audit.list(0, 100).map(({ subject, outcome }) => [subject, outcome]))
  assert.equal(
    [near, far, before].map(({ id }) => outcomes.get(id)),
    ['ok', 'command_from_future', 'ok'],
  )
  assert.is(node.audit.list(0, 100).filter(({ subject }) => subject === far.id).length, 1)
  const marked = ledger.commands('demo', undefined, 100)!.commands.filter(({ fromFuture }) => fromFuture === true)
  assert.equal(
    marked.map(({ id }) => id),
    [far.id],
  )
})

test('a claim counts from 30 s before its time on; a renewal from the future neither lengthens nor loses it', () => {
  const { ledger, take, heldAt, enter } = start()
  take(about('acquire', 1, 60 * S), 0, 2)
  assert.equal([heldAt(-31), heldAt(-30), heldAt(59), heldAt(60)], [undefined, [1, 60], [1, 60], undefined])
  take(about('renew', 1, 600 * S), YEAR_S, 2)
  assert.equal([heldAt(0), heldAt(59), heldAt(60)], [[1, 60], [1, 60], undefined])
  assert.equal(heldAt(YEAR_S - 30), [1, YEAR_S + 600])
  const states = (atS: number) => ledger.claims('demo', 'all', START_MS + atS * S).map(({ state }) => state)
  assert.equal([states(0), states(60)], [['held'], ['future']])
  assert.is(ledger.claims('demo', 'future', START_MS + 60 * S)[0]!.issuedAtMs, START_MS + YEAR_MS)
  assert.is(enter(about('acquire', 2, 60 * S), 59, 3), 'claim_held')
  assert.is(enter(about('acquire', 2, 60 * S), 60, 3), 'taken')
  assert.equal(heldAt(61), [2, 120])
  assert.is(heldAt(YEAR_S), undefined, 'the renewal from the future counts no more')
})

test('nobody gains by a false time, and a claim from the future stops nobody until its time comes', () => {
  const { take, heldAt, enter, ledger } = start()
  // A taker whose clock is behind has seen the claim.
  take(about('acquire', 1, 60 * S), 0, 2)
  take(about('acquire', 2, 3_600 * S), -60, 3)
  take(about('acquire', 3, 3_600 * S), -YEAR_S, 4)
  assert.equal([heldAt(0), heldAt(59), heldAt(60)], [[1, 60], [1, 60], undefined])
  // A claim a year ahead: the card is free now, and is taken until then at most.
  const ahead = start()
  ahead.take(about('acquire', 1, 60 * S), YEAR_S, 2)
  assert.is(ahead.heldAt(0), undefined)
  assert.is(ahead.ledger.claims('demo', 'future', START_MS).length, 1)
  assert.is(ahead.enter(about('acquire', 2, 60 * S), 0, 3), 'taken')
  assert.equal(ahead.heldAt(0), [2, 60])
  assert.is(ahead.enter(about('renew', 2, 60 * S), 50, 3), 'taken')
  assert.equal(
    [ahead.heldAt(109), ahead.heldAt(YEAR_S)],
    [
      [2, 110],
      [1, YEAR_S + 60],
    ],
  )
  // Of a claim a minute ahead the device works on the card already: an acquire that reaches into it is refused.
  const near = start()
  near.take(about('acquire', 1, 60 * S), 60, 2)
  assert.is(near.enter(about('acquire', 2, 60 * S), 0, 3), 'claim_held')
  assert.is(near.enter(about('acquire', 2, 30 * S), 0, 3), 'taken')
  assert.is(enter(about('acquire', 4, 60 * S), 60, 5), 'taken')
  assert.ok(ledger)
})

test('a renewal or release is not earlier than its own claim; a release frees at once', () => {
  const { node, take, enter, heldAt } = start()
  take(about('acquire', 1, 60 * S), 100, 2)
  for (const kind of ['renew', 'release'] as const) {
    assert.is(enter(about(kind, 1, 60 * S), 99, 2), 'command_invalid /issuedAtMs')
    const early = take(about(kind, 1, 60 * S), 99, 2)
    assert.is(early.effective, false)
    assert.is(node.audit.list(0, 100).at(-1)!.outcome, 'no_effect')
  }
  assert.equal(heldAt(100), [1, 160])
  take(about('release', 1, 0), YEAR_S, 2)
  assert.equal([heldAt(70), heldAt(100)], [undefined, undefined])
  assert.is(enter(about('acquire', 2, 60 * S), 100, 3), 'taken')
})

test('the claims of the future count against the limit of a device', () => {
  const { node, take, heads } = start()
  take(about('acquire', 1, 60 * S), YEAR_S, 2)
  const limited = openNode(open, { maxClaims: 1 })
  for (const { id, envelope } of node.ledger.commands('demo', undefined, 100)!.commands)
    limited.ledger.admit({ id, project: 'demo', envelope, text: codecs.canonicalText(envelope) }, START_MS)
  const mine = (device: number) => proven(about('acquire', 2, 60 * S, OTHER), { device, parents: heads() })
  failure('claim_limit', () => limited.ledger.enter(mine(2), START_MS))
  assert.is(
    refusalOf(() => limited.ledger.enter(mine(3), START_MS)),
    'taken',
  )
})

test('comments and boards are shown in graph order, concurrent ones by time', () => {
  const { ledger, take } = start()
  const comment = (n: number): Command => ({
    type: 'comment.add',
    commentId: uuidOf(n),
    cardId: CARD,
    bodyHash: 'a'.repeat(64),
  })
  const one = take(comment(14), YEAR_S, 2)
  take(comment(13), 20, 3, [one.id])
  take(comment(12), 30, 4, [ledger.root('demo')!])
  take(comment(11), 10, 5, [ledger.root('demo')!])
  const shown = ledger.card('demo', CARD).comments.map(({ commentId }) => Number.parseInt(commentId.slice(-4), 16))
  assert.equal(shown, [11, 12, 14, 13])
  // A second creation with an earlier time changes neither the author nor the time.
  take(comment(14), -YEAR_S, 9)
  const again = ledger.card('demo', CARD).comments.find(({ commentId }) => commentId === uuidOf(14))!
  assert.is(again.issuedAtMs, START_MS + YEAR_MS)
  take({ type: 'board.create', boardId: uuidOf(9), title: 'Second' }, -YEAR_S, 2)
  assert.equal(ledger.boardOrder('demo'), [BOARD, uuidOf(9)])
})

/** One command of a random history: its kind, its device and its card, the branch it is on, its time and its lease. */
const stepOf = fc.record({
  kind: fc.constantFrom<Kind>('acquire', 'acquire', 'acquire', 'force', 'renew', 'renew', 'renew', 'release'),
  device: fc.nat({ max: 3 }),
  branch: fc.nat({ max: 2 }),
  merges: fc.nat({ max: 5 }),
  which: fc.nat({ max: 5 }),
  /** Seconds that pass before it, and the error of the clock. */
  passS: fc.constantFrom(1, 10, 35, 70),
  lieS: fc.constantFrom(0, 0, 0, 0, 0, 20, -20, 45, -45, 3_600, -3_600, YEAR_S, -YEAR_S),
  leaseS: fc.constantFrom(10, 60, 120, 3_600),
})
type Step = typeof stepOf extends fc.Arbitrary<infer T> ? T : never

/** The commands of a history on three branches that merge now and then. */
function historyOf(steps: readonly Step[], project: string): readonly ProvenCommand[] {
  const commands: ProvenCommand[] = []
  const add = (command: Command, parents: readonly string[], device: number, atS: number): string => {
    commands.push(proven(command, { project, device, parents, issuedAtMs: START_MS + atS * S }))
    return commands.at(-1)!.id
  }
  let last = ''
  for (const command of base) last = add(command, last === '' ? [] : [last], 0, 0)
  const tips = [last, last, last]
  const made: { n: number; device: number; cardId: string }[] = []
  let nowS = 0
  for (const [n, { kind, device, branch, merges, which, passS, lieS, leaseS }] of steps.entries()) {
    nowS += passS
    const own = made.filter((claim) => claim.device === device)
    const claim = own[own.length - 1 - (which % Math.max(1, own.length))]
    const isMaker = kind === 'acquire' || kind === 'force'
    const cardId = isMaker || claim === undefined ? (which === 0 ? OTHER : CARD) : claim.cardId
    const parents = merges < 2 ? [...new Set(tips)] : [tips[branch]!]
    tips[branch] = add(about(kind, isMaker ? n : (claim?.n ?? n), leaseS * S, cardId), parents, device, nowS + lieS)
    if (isMaker) made.push({ n, device, cardId })
  }
  return commands
}

/** The same commands in another order in which parents come first. */
function reordered(commands: readonly ProvenCommand[], seed: number): readonly ProvenCommand[] {
  const left = [...commands]
  const order: ProvenCommand[] = []
  const here = new Set<string>()
  for (let state = seed + 1; left.length > 0; ) {
    state = (state * 48_271) % 2_147_483_647
    const ready = left.filter(({ envelope }) => envelope.expectedFrontier.heads.every((id) => here.has(id)))
    const next = ready[state % ready.length]!
    left.splice(left.indexOf(next), 1)
    here.add(next.id)
    order.push(next)
  }
  return order
}

const HISTORIES = countOf({ quick: 75, deep: 5_000 })

test(`clocks that are off by up to a year: claims equal those of the oracle in any order of arrival: ${HISTORIES} histories`, () => {
  const nodes: readonly TestNode[] = [0, 1, 2].map(() => openQuickNode(open))
  for (const { driver } of nodes) driver.exec('BEGIN')
  let run = 0
  const once = (steps: readonly Step[]): void => {
    const project = `run-${run++}`
    const commands = historyOf(steps, project)
    const expected = foldByForce(commands)
    for (const [i, { ledger, applied }] of nodes.entries()) {
      for (const command of i === 0 ? commands : reordered(commands, run * 7 + i)) ledger.admit(command, START_MS)
      assert.equal(ledger.snapshot(project), { project, ...expected.project })
      for (const { id, effective } of applied.splice(0)) assert.is(effective, expected.effective.has(id))
      // At most one claim of a card is in force at any time.
      for (const atS of [-YEAR_S, -100, 0, 50, 400, 800, 3_600, YEAR_S]) {
        const held = ledger.claims(project, 'held', START_MS + atS * S).map(({ cardId }) => cardId)
        assert.is(new Set(held).size, held.length)
      }
    }
  }
  fc.assert(fc.property(fc.array(stepOf, { minLength: 10, maxLength: 40, size: 'max' }), once), {
    numRuns: HISTORIES,
    seed: 7,
  })
  const { driver, audit } = nodes[1]!
  driver.exec('COMMIT')
  assert.is(checkKbd({ driver, codecs, limits: defaultLimits, audit }, open()), undefined)
  // The histories must contain each case.
  const [counted] = driver
    .prepare(`SELECT sum(void), sum(lost), sum(ended), sum(released), sum(cap_ms IS NOT NULL), sum(expires_at_ms < last_end_ms),
      sum(from_ms > issued_at_ms - 30000) FROM kbd_claims`)
    .all<number[]>()
  assert.ok(
    counted!.every((count) => count > HISTORIES / 10),
    counted!.join(),
  )
})

test.run()
