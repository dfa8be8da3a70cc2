import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { SvcError } from '../../../core/declare/errors.ts'
import type { Command } from '../../../plugins/kbd/api.ts'
import type { ProvenCommand } from '../../../plugins/kbd/engine/ledger.ts'
import { deviceId, drivers, type OpenDriver, openEngine, openNode, proven, START_MS, uuidOf } from './boards.ts'

const [boardId, columnId, cardId] = [uuidOf(1), uuidOf(2), uuidOf(3)]
const DAY_MS = 86_400_000
/** Commands of a graph after its first three. */
const COUNT = 160
/**
 * The maximum number of statements of one command, and the additional statements per parent: a merge replaces the
 * values that it has seen.
 */
const MAX_STATEMENTS = 70
const STATEMENTS_A_PARENT = 8

/** A board, a column and a card, then commands in a given shape. */
function graphOf(
  count: number,
  commandOf: (n: number) => Command,
  parentsOf: (n: number, ids: readonly string[], root: string) => readonly string[],
  deviceOf: (n: number) => number = (n) => n % 7,
): readonly ProvenCommand[] {
  const commands: ProvenCommand[] = []
  const add = (command: Command, parents: readonly string[], device: number): string => {
    const provenCommand = proven(command, { parents: [...new Set(parents)], device })
    commands.push(provenCommand)
    return provenCommand.id
  }
  const board = add({ type: 'board.create', boardId, title: 'Board' }, [], 1)
  const column = add({ type: 'column.create', boardId, columnId, title: 'Column', rank: 'm' }, [board], 1)
  const root = add({ type: 'card.create', cardId, boardId, columnId, rank: 'm', title: 'Card' }, [column], 1)
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push(add(commandOf(n), parentsOf(n, ids, root), deviceOf(n)))
  return commands
}

/** The number of statements of the most expensive command. */
function statementsOf(commands: readonly ProvenCommand[]): number {
  let count = 0
  const open = (): OpenDriver => {
    const driver = drivers['node:sqlite']!()
    return {
      ...driver,
      prepare(sql) {
        const statement = driver.prepare(sql)
        return {
          run(...given) {
            count++
            statement.run(...given)
          },
          get(...given) {
            count++
            return statement.get(...given)
          },
          all(...given) {
            count++
            return statement.all(...given)
          },
        }
      },
    }
  }
  const node = openNode(open)
  node.driver.exec('BEGIN')
  let most = 0
  for (const command of commands) {
    const before = count
    node.ledger.admit(command, START_MS + DAY_MS)
    most = Math.max(most, count - before)
  }
  node.driver.close()
  return most
}

const archive: Command = { type: 'card.archive', cardId }
const restore: Command = { type: 'card.restore', cardId }
const label = (n: number): Command => ({ type: 'label.add', cardId, name: `label ${n}` })
const update = (n: number): Command => ({
  type: 'card.update',
  cardId,
  title: `t${n}`,
  priority: n % 5,
  assignee: `a${n}`,
})
const acquire = (n: number): Command => ({
  type: 'claim.acquire',
  claimId: uuidOf(100 + n),
  cardId,
  agent: null,
  leaseMs: 60_000,
})
const renew = (n: number): Command => ({ type: 'claim.renew', claimId: uuidOf(100 + n), cardId, leaseMs: 60_000 })
const create = (n: number): Command => ({ type: 'column.create', boardId, columnId, title: `c${n}`, rank: 'm' })
const rerank = (n: number): Command => ({ type: 'column.rerank', columnId, places: [{ cardId, rank: `b${n + 1}1` }] })

/** The n-th command of a graph. */
const CONTENT: Readonly<Record<string, (n: number) => Command>> = {
  'archives, then labels': (n) => (n < (COUNT * 4) / 5 ? archive : label(n)),
  'archives and labels in turns': (n) => (n % 2 === 0 ? archive : label(n)),
  'labels, and archives that come and go': (n) => (n % 2 === 0 ? label(n) : n % 4 === 1 ? archive : restore),
  'all fields': update,
  claims: acquire,
  'claims and renewals': (n) => (n % 2 === 0 ? acquire(n) : renew(n - 1)),
  'columns created again, then ranked': (n) => (n < COUNT / 2 ? create(n) : rerank(n)),
}

/** The parents of the n-th command. */
const SHAPES: Readonly<Record<string, (n: number, ids: readonly string[], root: string) => readonly string[]>> = {
  'nothing of the others': (_n, _ids, root) => [root],
  'two branches in turns': (n, ids, root) => [n < 2 ? root : ids[n - 2]!],
  'sixteen branches in turns': (n, ids, root) => [n < 16 ? root : ids[n - 16]!],
  'its predecessor, every second one': (n, ids, root) => [n % 2 === 0 ? root : ids[n - 1]!],
  'now and then 64 of the others': (n, ids, root) => (n > 64 && n % 16 === 0 ? ids.slice(n - 64, n) : [root]),
}

for (const [content, commandOf] of Object.entries(CONTENT)) {
  for (const [shape, parentsOf] of Object.entries(SHAPES)) {
    test(`${content}; each has seen ${shape}`, () => {
      const commands = graphOf(COUNT, commandOf, parentsOf)
      const parents = Math.max(...commands.map(({ envelope }) => envelope.expectedFrontier.heads.length))
      const statements = statementsOf(commands)
      assert.ok(statements <= MAX_STATEMENTS + parents * STATEMENTS_A_PARENT, `${statements} statements`)
    })
  }
}

test('a set from a peer is admitted in transactions of bounded duration', async () => {
  const node = openNode(drivers['node:sqlite']!)
  const active = { status: 'active', expiresAtMs: null, scopes: ['kbd-control:*'] } as const
  const devices = new Map(Array.from({ length: 7 }, (_, n) => [deviceId(n), { keyId: deviceId(n), ...active }]))
  let nowMs = 0
  let turns = 0
  const engine = openEngine(node, devices, {
    // Each reading of the clock costs 4 ms, so three commands fit into a transaction of 10 ms.
    monotonic: () => (nowMs += 4),
    yieldLoop: async () => void turns++,
  })
  node.clock.nowMs = START_MS + DAY_MS
  const commands = await Promise.all(
    graphOf(60, label, SHAPES['nothing of the others']!).map(({ envelope }) => engine.prove(envelope)),
  )
  const addedIds: string[] = []
  const { accepted, added } = await engine.admit('demo', commands, undefined, {
    onAdded: ({ id }) => void addedIds.push(id),
  })
  assert.equal([accepted, added], [63, 63])
  assert.equal(
    addedIds,
    commands.map(({ id }) => id),
  )
  assert.ok(turns >= 20, `${turns} turns`)
  node.driver.close()
})

test('a set that must be admitted whole leaves nothing if one command is refused', async () => {
  const node = openNode(drivers['node:sqlite']!)
  const active = { status: 'active', expiresAtMs: null, scopes: ['kbd-control:*'] } as const
  const devices = new Map(Array.from({ length: 7 }, (_, n) => [deviceId(n), { keyId: deviceId(n), ...active }]))
  const engine = openEngine(node, devices)
  node.clock.nowMs = START_MS + DAY_MS
  const good = graphOf(8, label, SHAPES['nothing of the others']!)
  const bad: readonly (readonly [ProvenCommand, string])[] = [
    [proven(label(90), { parents: ['0'.repeat(64)] }), 'frontier_unknown'],
    [proven({ type: 'board.create', boardId: uuidOf(9), title: 'x' }, { parents: [] }), 'project_mismatch'],
  ]
  for (const [wrong, code] of bad) {
    const commands = await Promise.all([...good, wrong].map(({ envelope }) => engine.prove(envelope)))
    const refusal = await engine.admit('demo', commands, undefined, { isWhole: true }).then(
      () => undefined,
      (error: unknown) => error as { code: string; details: { index: number } },
    )
    assert.equal([refusal?.code, refusal?.details.index], [code, good.length])
    assert.is(node.ledger.standing('demo').revision, 0)
  }
  // A time out of range is refused, and no other.
  for (const issuedAtMs of [-1, 8.64e15 - 86_400_000 + 1]) {
    const refusal = await engine.prove(proven(label(91), { issuedAtMs }).envelope).catch((error: unknown) => error)
    assert.equal(
      [(refusal as SvcError).code, (refusal as SvcError).details],
      ['command_invalid', { member: '/issuedAtMs' }],
    )
  }
  const commands = await Promise.all(good.map(({ envelope }) => engine.prove(envelope)))
  assert.is((await engine.admit('demo', commands, undefined, { isWhole: true })).added, good.length)
  assert.is((await engine.admit('demo', commands, undefined, { isWhole: true })).added, 0)
  node.driver.close()
})

test.run()
