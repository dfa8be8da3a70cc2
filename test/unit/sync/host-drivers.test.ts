/**
 * Drivers of hosts: two that run here, and the wrappers of docs/examples/hosts for those that only run on a phone, on
 * databases with the shapes that they declare.
 */
import { createRequire } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import initSqlJs from 'sql.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { HostDatabase } from '../../../plugins/sync/store-host/database.ts'
import { createHostRig, outcomeOf } from './host-rig.ts'

/**
 * The members of `SQLiteDatabase` that the wrapper uses, as expo-sqlite 57.0.3 declares them in SQLiteDatabase.d.ts.
 */
interface ExpoDatabase {
  execSync(source: string): void
  runSync(source: string, params: ExpoParams): { lastInsertRowId: number; changes: number }
  getAllSync<T>(source: string, params: ExpoParams): T[]
}
type ExpoValue = string | number | null | boolean | Uint8Array
type ExpoParams = Record<string, ExpoValue> | ExpoValue[]

/** The member of `DB` that the wrapper uses, as @op-engineering/op-sqlite 18.2.5 declares it in types.ts. */
interface OpDatabase {
  executeSync(query: string, params?: OpScalar[]): { rowsAffected: number; rows: Record<string, OpScalar>[] }
}
type OpScalar = string | number | boolean | null | ArrayBuffer | ArrayBufferView

/**
 * The wrappers of the examples; test/reach/driver-types.test.ts checks them against the types that the packages
 * publish.
 */
const examples = new URL('../../../docs/examples/hosts/', import.meta.url)
const { fromExpo } = (await import(new URL('expo-sqlite.mjs', examples).href)) as {
  fromExpo(db: ExpoDatabase): HostDatabase
}
const { fromOp } = (await import(new URL('op-sqlite.mjs', examples).href)) as { fromOp(db: OpDatabase): HostDatabase }

/** The part of better-sqlite3 that the engine needs; the package has no types of its own. */
type BetterSqlite3 = new (
  path: string,
) => {
  exec(sql: string): unknown
  prepare(sql: string): { run(params: unknown[]): unknown; all(params: unknown[]): unknown[] }
}

async function pushes(database: HostDatabase): Promise<void> {
  const rig = createHostRig()
  rig.database = database
  const body = rig.push()
  for (const status of ['201', '200']) {
    const engine = await rig.start()
    assert.is(await outcomeOf(engine.sync.submit(body)), status)
    await engine.close()
  }
}

test('better-sqlite3', () => {
  const require = createRequire(import.meta.url)
  const Database = require('better-sqlite3') as BetterSqlite3
  const database = new Database(':memory:')
  return pushes({
    exec: (sql) => database.exec(sql),
    run: (sql, params) => database.prepare(sql).run(params),
    all: (sql, params) => database.prepare(sql).all(params),
  })
})

test('sql.js', async () => {
  const SQL = await initSqlJs()
  const database = new SQL.Database()
  await pushes({
    exec: (sql) => database.exec(sql),
    run: (sql, params) => database.run(sql, params),
    all(sql, params) {
      const statement = database.prepare(sql, params)
      const rows: unknown[] = []
      while (statement.step()) rows.push(statement.get())
      statement.free()
      return rows
    },
  })
})

test('expo-sqlite', () => {
  const sqlite = new DatabaseSync(':memory:')
  return pushes(
    fromExpo({
      execSync: (source) => sqlite.exec(source),
      runSync(source, params) {
        const { lastInsertRowid, changes } = sqlite.prepare(source).run(...(params as string[]))
        return { lastInsertRowId: Number(lastInsertRowid), changes: Number(changes) }
      },
      getAllSync: <T>(source: string, params: ExpoParams) => sqlite.prepare(source).all(...(params as string[])) as T[],
    }),
  )
})

test('op-sqlite', () => {
  const sqlite = new DatabaseSync(':memory:')
  return pushes(
    fromOp({
      executeSync(query, params) {
        if (params === undefined) {
          sqlite.exec(query)
          return { rowsAffected: 0, rows: [] }
        }
        return {
          rowsAffected: 0,
          rows: sqlite.prepare(query).all(...(params as string[])) as Record<string, OpScalar>[],
        }
      },
    }),
  )
})

test.run()
