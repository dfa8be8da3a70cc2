import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createGraph } from '../../../plugins/kbd/engine/graph/graph.ts'
import { contains } from '../../../plugins/kbd/engine/graph/ranges.ts'
import type { ProvenCommand } from '../../../plugins/kbd/engine/ledger.ts'
import { createSql } from '../../../plugins/kbd/engine/sql.ts'
import { codecs, drivers, openNode, proven, START_MS, uuidOf } from './boards.ts'

/** Commands after the first one. */
const LENGTH = 600

/**
 * Three branches whose commands alternate, so that the commands that one branch has not seen are not a contiguous
 * range, with occasional merges. Each command creates a board of its own, so that only the graph is large.
 */
function braid(): readonly ProvenCommand[] {
  const commands: ProvenCommand[] = []
  const add = (parents: readonly string[], n: number): string => {
    const made = proven({ type: 'board.create', boardId: uuidOf(1 + n), title: `t${n}` }, { parents, device: n % 3 })
    commands.push(made)
    return made.id
  }
  const root = add([], LENGTH)
  const tips = [root, root, root]
  for (let n = 0; n < LENGTH; n++) {
    const own = tips[n % 3]!
    const other = tips[(n + 1) % 3]!
    tips[n % 3] = add(n % 151 === 150 && own !== other ? [own, other] : [own], n)
  }
  return commands
}

/** The ancestors of each command, by id. */
function pastsOf(commands: readonly ProvenCommand[]): ReadonlyMap<string, ReadonlySet<string>> {
  const pasts = new Map<string, Set<string>>()
  for (const { id, envelope } of commands) {
    const past = new Set<string>()
    for (const parent of envelope.expectedFrontier.heads)
      for (const one of [parent, ...pasts.get(parent)!]) past.add(one)
    pasts.set(id, past)
  }
  return pasts
}

/** Commands of a chain: so many that ancestors more than 512 steps back are listed too, by their positions. */
const CHAIN = 2_600

/** One branch without merges. */
function chain(): readonly ProvenCommand[] {
  const commands: ProvenCommand[] = []
  for (let n = 0; n < CHAIN; n++) {
    const parents = commands.slice(-1).map(({ id }) => id)
    commands.push(proven({ type: 'board.create', boardId: uuidOf(1 + n), title: `t${n}` }, { parents }))
  }
  return commands
}

const commands = braid()
const ids = commands.map(({ id }) => id)
const pasts = pastsOf(commands)

for (const [name, open] of Object.entries(drivers)) {
  // The tests only read it.
  const node = openNode(open)
  node.driver.exec('BEGIN')
  for (const command of commands) node.ledger.admit(command, START_MS)

  test(`${name}: the ancestors of a command are known without a walk, and are not stored for every command`, () => {
    const sql = createSql(node.driver)
    const graph = createGraph(sql)
    for (const [i, id] of ids.entries()) {
      if (i % 7 !== 0) continue
      const unseen = graph.past(1).unseen(i + 1)
      for (let j = 0; j < i; j++) assert.is(contains(unseen, j + 1), !pasts.get(id)!.has(ids[j]!), `${j} before ${i}`)
    }
    const [written, derived, bytes] = sql(
      'SELECT count(unseen), sum(unseen IS NULL), sum(length(unseen)) FROM kbd_commands',
    ).get<[number, number, number]>()!
    assert.ok(derived > written, `${written} written, ${derived} derived`)
    assert.ok(bytes < LENGTH * 300, `${bytes} bytes`)
    assert.is(sql('SELECT max(hops) FROM kbd_commands').get<[number]>()![0], 16)
  })

  test(`${name}: heads and spaced ancestors are enough to find missing commands, wherever the branches diverge`, () => {
    const have = node.ledger.have('demo')
    assert.ok(have.length <= 64 && new Set(have).size === have.length)
    assert.ok(have.includes(ids[0]!) && node.ledger.standing('demo').frontier.heads.every((id) => have.includes(id)))
    // Another node that stopped receiving commands at some point gets exactly the missing commands.
    const late = openNode(open)
    let admitted = 0
    for (const known of [10, 300, 590]) {
      for (const { id, envelope } of node.ledger.commands('demo', undefined, known)!.commands.slice(admitted))
        late.ledger.admit({ id, project: 'demo', envelope, text: codecs.canonicalText(envelope) }, START_MS)
      admitted = known
      const { commands: sent, more } = node.ledger.missing('demo', late.ledger.have('demo'), 10_000_000)
      assert.is(sent.length, 1 + LENGTH - known)
      assert.is(more, false)
      const back = late.ledger.missing('demo', have, 10_000_000).commands
      assert.ok(back.length <= known)
    }
  })
}

test('a chain is listed by its head, the ancestors 1, 2, 4, 8 … steps back, and its first command', () => {
  const node = openNode(drivers['sql.js']!)
  node.driver.exec('BEGIN')
  const made = chain()
  for (const command of made) node.ledger.admit(command, START_MS)
  const back = node.ledger.have('demo').map((id) => CHAIN - 1 - made.findIndex((command) => command.id === id))
  const near = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
  // Beyond, the distance to the ancestor 512 steps back doubles.
  const far = [512 + 512, 512 + 1_024, 512 + 2_048]
  assert.equal(back, [0, ...near, ...far, CHAIN - 1])
})

test.run()
