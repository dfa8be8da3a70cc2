/**
 * The receipt store of embedded hosts: SQLite in WebAssembly over bytes that the host loads and saves. The bytes are
 * loaded once. The last saved bytes stay in memory, so that after a failed save the store goes back to them without
 * another load, which might be late or outdated.
 */

import type { Database, SqlJsStatic } from 'sql.js'
import type { StorePart } from '../../../core/declare/capabilities.ts'
import { isSvcError } from '../../../core/declare/errors.ts'
import type { SqlDriver, SqlRow, SqlStatement, SqlValue } from '../../store/api.ts'
import type { Sha256 } from '../api.ts'
import { toPlain } from '../embedded/schema.ts'
import { chainOf } from '../engine/audit/audited.ts'
import { Undecided } from '../engine/execution/applications.ts'
import type { ReceiptStore } from '../engine/store/api.ts'
import { createGroupedStore } from '../engine/store/group-commit.ts'
import { type OpenStore, toOpenStore } from '../engine/store/open-store.ts'
import { inspect, isDamage, migrate, toSchema } from '../engine/store/schema.ts'
import { fail, failStore } from '../errors.ts'
import type { PersistenceCalls } from './host.ts'
import { type SqlWasm, startSqlJs } from './sql-js.ts'

/** The first bytes of every SQLite file (SQLite file format, section 1.3.1). */
const SQLITE_HEAD = 'SQLite format 3\0'

/**
 * Opens the store. Rejects with `store_damaged`, `store_newer` or `store_foreign`, or with `receipt_store_unavailable`
 * if the host cannot load; nothing is saved then. All bytes are saved after each group of writes, one save at a time.
 */
export async function openBytesStore(
  { load, save }: PersistenceCalls,
  wasm: SqlWasm,
  sha256: Sha256,
  parts: readonly StorePart[],
): Promise<ReceiptStore> {
  const sql = await startSqlJs(wasm)
  const openDatabase = createOpen(sql, sha256, parts)
  let saved: Uint8Array | null
  try {
    saved = await load()
  } catch (cause) {
    throw fail('receipt_store_unavailable', { ...(isSvcError(cause) && { message: cause.message }), cause })
  }
  let opened: (OpenStore & { readonly database: Database }) | undefined = openDatabase(saved, true)
  /** The error of a save that timed out. No other save begins while that one may still reach the medium. */
  let late: Error | undefined

  return createGroupedStore({
    open: () => (opened ??= openDatabase(saved, false)),
    schedule: (flush) => void Promise.resolve().then(flush),
    beforeCommit() {
      if (late !== undefined) throw late
    },
    async persist() {
      if (opened === undefined) throw new Error('the store is not open')
      const { database } = opened
      try {
        const bytes = database.export()
        // The host gets a copy, because it may change the bytes.
        await save(bytes.slice())
        saved = bytes
      } catch (error) {
        opened = undefined
        database.close()
        if (!(error instanceof Undecided)) throw error
        late = error.error
        const ended = (): void => void (late = undefined)
        error.settled.then(ended, ended)
        throw late
      }
    },
    async close() {
      opened?.driver.close()
      opened = undefined
    },
  })
}

type OpenDatabase = (bytes: Uint8Array | null, deep: boolean) => OpenStore & { readonly database: Database }

function createOpen(sql: SqlJsStatic, sha256: Sha256, parts: readonly StorePart[]): OpenDatabase {
  const schema = toSchema(parts)
  return (bytes, deep) => {
    if (bytes !== null && String.fromCharCode(...bytes.subarray(0, 16)) !== SQLITE_HEAD)
      throw failStore('store_damaged')
    const database = new sql.Database(bytes)
    try {
      const driver = toDriver(database)
      toPlain(driver)
      const state = inspect(driver, schema, deep)
      database.run('PRAGMA journal_mode = MEMORY')
      if (state !== 'current') migrate(driver, schema)
      const store = toOpenStore(driver)
      const audit = chainOf(parts, { driver: store.ledger.driver, sha256 })
      return { ...store, ledger: { ...store.ledger, audit }, database }
    } catch (error) {
      database.close()
      throw isDamage(error) ? failStore('store_damaged') : error
    }
  }
}

/**
 * The driver of a database of sql.js. An export frees all prepared statements, so that each is compiled again at its
 * next use.
 */
export function toDriver(database: Database): SqlDriver {
  let epoch = 0
  const exportAll = database.export.bind(database)
  database.export = () => {
    epoch++
    return exportAll()
  }
  return {
    exec: (sql) => void database.exec(sql),
    prepare(sql): SqlStatement {
      let statement = database.prepare(sql)
      let preparedIn = epoch
      const rows = <Row extends SqlRow>(parameters: readonly SqlValue[]): Row[] => {
        if (preparedIn !== epoch) {
          statement = database.prepare(sql)
          preparedIn = epoch
        }
        const result: Row[] = []
        try {
          statement.bind([...parameters])
          while (statement.step()) result.push(statement.get() as unknown as Row)
        } finally {
          statement.reset()
        }
        return result
      }
      return {
        run: (...parameters) => void rows(parameters),
        get: <Row extends SqlRow>(...parameters: readonly SqlValue[]) => rows<Row>(parameters)[0],
        all: <Row extends SqlRow>(...parameters: readonly SqlValue[]) => rows<Row>(parameters),
      }
    },
    close: () => database.close(),
  }
}
