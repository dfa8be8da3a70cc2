/** The query plans of the statements of boards: the cost of a statement does not grow with the graph. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { search } from '../../../plugins/kbd/search/search.ts'
import { createSearchIndex } from '../../../plugins/kbd/search/search-index.ts'
import { codecs, drivers, type OpenDriver, openNode, START_MS, uuidOf } from './boards.ts'
import { tell } from './story.ts'

/** The scans that are allowed, and why. */
const SCANS: readonly RegExp[] = [
  // One row per project, or none; and the last entry of the chain, found by its key.
  /^SCAN (kbd_projects|kbd_stale|k|audit)$/,
  // The result of a bounded subquery.
  /^SCAN \(subquery-1\)$/,
  // Items whose text has not arrived, when the index is opened.
  /^SCAN r USING COVERING INDEX search_rows_waiting$/,
  // FTS5 uses its index.
  /^SCAN (search_words|json_each) VIRTUAL TABLE/,
]

const flat = (sql: string): string => sql.replace(/\s+/g, ' ').trim()

/** Statements of a story that uses the whole engine, each with its query plan. */
function plans(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  const watched = (): OpenDriver => {
    const driver = drivers['node:sqlite']!()
    return {
      ...driver,
      prepare(sql) {
        if (/^\s*(?:SELECT|UPDATE|DELETE)/.test(sql)) {
          const rows = driver.prepare(`EXPLAIN QUERY PLAN ${sql}`).all<[number, number, number, detail: string]>()
          found.set(
            flat(sql),
            rows.map(([, , , detail]) => detail),
          )
        }
        return driver.prepare(sql)
      },
    }
  }
  const nodes = [0, 1, 2].map(() => openNode(watched))
  const steps = Array.from({ length: 400 }, (_, n) => [n * 7, n % 3, n % 5, n * 31, n * 17] as const)
  tell(nodes, { project: 'demo', run: 1 }, steps)
  const { driver, ledger, audit } = nodes[0]!
  const [last] = ledger.standing('demo').frontier.heads
  ledger.findByCommandId('demo', 'ed25519:none', uuidOf(1))
  ledger.commands('demo', last, 10)
  ledger.missing('demo', [], 1_000)
  ledger.content.wanted(1, 'demo', 10)
  ledger.content.sweep(START_MS, 10)
  audit.list(0, 10, { project: 'demo', kind: 'claim' })
  audit.verify()
  createSearchIndex(driver, codecs).open()
  for (const text of ['one', 'one two three four five six seven eight nine'])
    search(driver, ledger, { text, project: 'demo', kind: undefined, limit: 10 })
  for (const node of nodes) node.driver.close()
  return found
}

const queryPlans = plans()

test('no statement scans more of the graph than it needs', () => {
  assert.ok(queryPlans.size > 40, `${queryPlans.size}`)
  assert.ok([...queryPlans.keys()].some((sql) => sql.includes('command_id = ?')))
  const bad: string[] = []
  for (const [sql, details] of queryPlans) {
    for (const detail of details) {
      // The second alternative reads all commands of a project, in the order of arrival.
      const isWalk = /^SCAN |kbd_command_positions \(p=\?\)/.test(detail)
      if (isWalk && !SCANS.some((allowed) => allowed.test(detail))) bad.push(`${detail}: ${sql}`)
    }
  }
  assert.equal(bad, [])
})

test('no limit is a bare parameter, because SQLite would compile the statement again each time', () => {
  assert.equal(
    [...queryPlans.keys()].filter((sql) => /LIMIT \?/.test(sql)),
    [],
  )
})

test.run()
