/** The bound of durable appends: SQLite alone, which commits the rows of many appends in one transaction. */
import { DatabaseSync } from 'node:sqlite'
import { migrations } from '../../../plugins/realtime/runs-sqlite/migrations.ts'
import { CONCURRENCY, event } from './service.ts'
import { headOf } from './store-appends.ts'

/** Commits `count` rows of appends, as many in one transaction as a service gets at once. Returns rows per second. */
export function commitBare(file: string, count: number): number {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  for (const { up } of migrations) if (typeof up === 'string') database.exec(up)
  const insert = database.prepare('INSERT INTO run_appends (run, gone, head, events, sum) VALUES (?, 0, ?, ?, ?)')
  const heads = Array.from({ length: CONCURRENCY }, (_, run) => JSON.stringify(headOf(`${run}`)))
  const fromMs = performance.now()
  for (let i = 0; i < count; i += CONCURRENCY) {
    database.exec('BEGIN IMMEDIATE')
    for (const [run, head] of heads.entries()) insert.run(`["default","bench","${run}"]`, head, event, 2 ** 51)
    database.exec('COMMIT')
  }
  const perSecond = count / ((performance.now() - fromMs) / 1000)
  database.close()
  return perSecond
}
