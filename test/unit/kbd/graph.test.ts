import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { checkKbd } from '../../../plugins/kbd/engine/check.ts'
import { createGraph } from '../../../plugins/kbd/engine/graph/graph.ts'
import { contains } from '../../../plugins/kbd/engine/graph/ranges.ts'
import { defaultLimits } from '../../../plugins/kbd/engine/limits.ts'
import { createSql } from '../../../plugins/kbd/engine/sql.ts'
import { codecs, drivers, openNode, proven, START_MS, type TestNode, uuidOf } from './boards.ts'

/**
 * Creates three branches whose commands alternate, so that the commands that one branch has not seen are not a
 * contiguous range, with occasional merges.
 */
function braided(node: TestNode, length: number): { ids: string[]; parents: Map<string, readonly string[]> } {
  const ids: string[] = []
  const parents = new Map<string, readonly string[]>()
  const add = (from: readonly string[], n: number): string => {
    const made = proven(
      { type: 'board.update', boardId: uuidOf(1 + (n % 5)), title: `t${n}` },
      { parents: from, device: n % 3 },
    )
    node.ledger.admit(made, START_MS)
    ids.push(made.id)
    parents.set(made.id, from)
    return made.id
  }
  const root = proven({ type: 'board.create', boardId: uuidOf(1), title: 'x' }, { parents: [] })
  node.ledger.admit(root, START_MS)
  ids.push(root.id)
  parents.set(root.id, [])
  const tips = [root.id, root.id, root.id]
  for (let n = 0; n < length; n++) {
    const own = tips[n % 3]!
    const other = tips[(n + 1) % 3]!
    tips[n % 3] = add(n % 151 === 150 && own !== other ? [own, other] : [own], n)
  }
  return { ids, parents }
}

for (const [name, open] of Object.entries(drivers)) {
  test(`${name}: the ancestors of a command are known without a walk, and are not stored for every command`, () => {
    const node = openNode(open)
    const { ids, parents } = braided(node, 600)
    const graph = createGraph(createSql(node.driver))
    const past = new Map<string, Set<string>>()
    for (const id of ids) {
      const seen = new Set<string>()
      for (const parent of parents.get(id)!) for (const one of [parent, ...past.get(parent)!]) seen.add(one)
      past.set(id, seen)
    }
    for (const [i, id] of ids.entries()) {
      if (i % 7 !== 0) continue
      const unseen = graph.past(1).unseen(i + 1)
      for (let j = 0; j < i; j++) assert.is(contains(unseen, j + 1), !past.get(id)!.has(ids[j]!), `${j} before ${i}`)
    }
    const sql = createSql(node.driver)
    const [written, derived, bytes] = sql(
      'SELECT count(unseen), sum(unseen IS NULL), sum(length(unseen)) FROM kbd_commands',
    ).get<[number, number, number]>()!
    assert.ok(derived > written, `${written} written, ${derived} derived`)
    assert.ok(bytes < 600 * 300, `${bytes} bytes`)
    assert.is(sql('SELECT max(hops) FROM kbd_commands').get<[number]>()![0], 16)
  })

  test(`${name}: heads and spaced ancestors are enough to find missing commands, wherever the branches diverge`, () => {
    const node = openNode(open)
    const { ids } = braided(node, 800)
    const have = node.ledger.have('demo')
    assert.ok(have.length <= 64 && new Set(have).size === have.length)
    assert.ok(have.includes(ids[0]!) && node.ledger.standing('demo').frontier.heads.every((id) => have.includes(id)))
    // Another node that stopped receiving commands at some point gets exactly the missing commands.
    for (const known of [10, 400, 790]) {
      const late = openNode(open)
      for (const { id, envelope } of node.ledger.commands('demo', undefined, known)!.commands)
        late.ledger.admit({ id, project: 'demo', envelope, text: codecs.canonicalText(envelope) }, START_MS)
      const { commands, more } = node.ledger.missing('demo', late.ledger.have('demo'), 10_000_000)
      assert.is(commands.length, 801 - known)
      assert.is(more, false)
      const back = late.ledger.missing('demo', have, 10_000_000).commands
      assert.ok(back.length <= known)
    }
  })

  // `svc store check` is a command of the server. It finds the tables by their names, which have a prefix in the database of a host.
  if (name === 'a database of the host') continue
  test(`${name}: a check computes everything again and names the damaged table`, () => {
    const node = openNode(open)
    braided(node, 40)
    const check = () => {
      const scratch = open()
      const found = checkKbd({ driver: node.driver, codecs, limits: defaultLimits, audit: node.audit }, scratch)
      scratch.close()
      return found
    }
    assert.is(check(), undefined)
    const damages: readonly [damage: string, mend: string, table: string][] = [
      [
        'UPDATE kbd_entries SET value = \'"forged"\' WHERE pos = 41',
        'UPDATE kbd_entries SET value = \'"t39"\' WHERE pos = 41',
        'kbd_entries',
      ],
      ['UPDATE kbd_projects SET revision = 40', 'UPDATE kbd_projects SET revision = 41', 'kbd_commands'],
      ['UPDATE kbd_projects SET head_count = 9', 'UPDATE kbd_projects SET head_count = 3', 'kbd_projects'],
      ["INSERT INTO kbd_tips VALUES (1, '', 'x', 1)", "DELETE FROM kbd_tips WHERE id = 'x'", 'kbd_tips'],
      ["UPDATE kbd_views SET json = json || ' '", 'UPDATE kbd_views SET json = trim(json)', 'kbd_views'],
      ["INSERT INTO kbd_names VALUES ('h', 1, 'card/x', 0)", 'DELETE FROM kbd_names', 'kbd_names'],
      ['UPDATE kbd_commands SET envelope = replace(envelope, \'"t7"\', \'"t8"\')', '', 'kbd_commands'],
    ]
    for (const [damage, mend, table] of damages) {
      node.driver.exec(damage)
      // The revision is the position of the next command, so a wrong revision is found in the commands or in the
      // project.
      const found = check()
      assert.ok(
        found?.table === table || (table === 'kbd_commands' && found?.table === 'kbd_projects'),
        `${damage}: ${found?.table}`,
      )
      if (mend !== '') node.driver.exec(mend)
    }
  })
}

test.run()
