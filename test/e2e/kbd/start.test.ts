/**
 * The work of a start does not depend on the length of the history. The test counts rows and checks query plans instead
 * of time.
 */
import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command } from '../../../plugins/kbd/api.ts'
import { canonicalText } from '../../../plugins/protocol/canonical.ts'
import { until } from '../../../scripts/until.ts'
import { HeldClock } from '../../support/held-clock.ts'
import { createSigner } from '../../unit/sync/platforms.ts'
import { startDaemon } from '../sync/daemon.ts'
import { envelopeOf, get } from './caller.ts'

/** Tables that grow with the activity on a node. */
const GROWING = [
  'kbd_commands',
  'kbd_entries',
  'kbd_views',
  'kbd_tips',
  'kbd_claims',
  'kbd_releases',
  'kbd_names',
  'kbd_content',
  'audit',
  'receipts',
  'events',
  'search_rows',
]

/**
 * The last statements of the checks that run a second after a start: of the audit chain and of texts without a command.
 */
const CHECKS = [/FROM audit_checkpoints/, /DELETE FROM kbd_content_ways/]

/** Records the executed statements, each with the total number of returned rows. */
function record(): { readonly rows: ReadonlyMap<string, number>; stop(): void } {
  const rows = new Map<string, number>()
  const { prepare } = DatabaseSync.prototype
  const count = (sql: string, found: number): void => void rows.set(sql, (rows.get(sql) ?? 0) + found)
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql: string): StatementSync {
    const statement = prepare.call(this, sql)
    const { all, get, run } = statement
    statement.all = (...given: never[]) => {
      const found = all.apply(statement, given as never)
      count(sql, found.length)
      return found
    }
    statement.get = (...given: never[]) => {
      const found = get.apply(statement, given as never)
      count(sql, found === undefined ? 0 : 1)
      return found
    }
    statement.run = (...given: never[]) => {
      count(sql, 0)
      return run.apply(statement, given as never)
    }
    return statement
  } as typeof prepare
  return { rows, stop: () => void (DatabaseSync.prototype.prepare = prepare) }
}

/** Creates a store with a board of `commands` commands, on a few cards. */
async function fill(commands: number): Promise<string> {
  const daemon = await startDaemon()
  const alice = createSigner()
  await daemon.enrol(alice, ['kbd-control:demo'])
  const [boardId, columnId] = [randomUUID(), randomUUID()]
  const cards = Array.from({ length: 8 }, () => randomUUID())
  const setup: readonly Command[] = [
    { type: 'board.create', boardId, title: 'Release' },
    { type: 'column.create', columnId, boardId, title: 'To do', rank: 'V' },
    ...cards.map((cardId): Command => ({ type: 'card.create', cardId, boardId, columnId, rank: 'V', title: 'Card' })),
  ]
  const lines: string[] = []
  let parents: readonly string[] = []
  for (let n = 0; n < commands; n++) {
    const command = setup[n] ?? ({ type: 'card.update', cardId: cards[n % 8]!, title: `Title ${n}` } as const)
    const envelope = await envelopeOf(alice, { command, parents })
    const { signature: _, ...shape } = envelope
    parents = [createHash('sha256').update(canonicalText(shape)).digest('hex')]
    lines.push(JSON.stringify({ command: envelope }))
  }
  const headers = { 'content-type': 'application/x-ndjson' }
  const reply = await daemon.send({ method: 'POST', path: '/api/v1/kbd/import', headers, body: lines.join('\n') })
  assert.is(reply.json()['commands'], commands, reply.text)
  await daemon.stop()
  return daemon.folder
}

/**
 * The statements of a start on a store, until the service answers and its first periodic checks are done. The clock is
 * held, so that each check runs once.
 */
async function startOn(folder: string): Promise<ReadonlyMap<string, number>> {
  const { rows, stop } = record()
  try {
    const clock = new HeldClock(Date.now())
    const daemon = await startDaemon({ folder, clock })
    assert.is((await get(daemon, '/health')).status, 200)
    await clock.advance(1_000)
    for (const check of CHECKS)
      await until(String(check), async () => [...rows.keys()].some((sql) => check.test(sql)), 60_000)
    await daemon.stop()
    return rows
  } finally {
    stop()
  }
}

test('a start with a long history runs the same statements and reads as many rows as with a short one', async () => {
  const [short, long] = [await fill(40), await fill(1_500)]
  const [few, many] = [await startOn(short), await startOn(long)]
  assert.equal(new Set(many.keys()), new Set(few.keys()))
  // SQLite checks its pages up to a maximum, so PRAGMA statements are left out.
  const total = (rows: ReadonlyMap<string, number>): number =>
    [...rows].reduce((sum, [sql, found]) => (sql.startsWith('PRAGMA') ? sum : sum + found), 0)
  assert.is(total(many), total(few))
  assert.ok(total(few) > 5 && total(few) < 200, `${total(few)} rows`)

  const file = new DatabaseSync(join(long, 'state', 'sync.db'), { readOnly: true })
  let planned = 0
  for (const sql of many.keys()) {
    if (!/^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)/.test(sql)) continue
    planned++
    const marks = new Set(sql.match(/\?\d*/g) ?? [])
    const numbered = [...marks].some((mark) => mark !== '?')
    const given = Array.from({ length: numbered ? marks.size : (sql.match(/\?/g) ?? []).length }, () => null)
    const plan = file.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...given) as { detail: string }[]
    for (const { detail } of plan)
      for (const table of GROWING) {
        const scans = new RegExp(`^SCAN ${table}\\b`).test(detail)
        // A partial index that contains only waiting rows, or a scan that ends at the first row.
        const waiting = /USING (?:COVERING )?INDEX (?:search_rows_waiting|kbd_content_unwanted|receipts_open)/.test(
          detail,
        )
        const first = /ORDER BY seq DESC LIMIT 1$/.test(sql)
        assert.ok(!scans || waiting || first, `${detail}: ${sql}`)
      }
  }
  assert.ok(planned > 10, `${planned} statements`)
  file.close()
})

test.run()
