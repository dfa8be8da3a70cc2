/** The receipt store of embedded hosts: SQLite in WebAssembly over bytes that the host loads and saves. */

import type { Database, SqlJsStatic } from 'sql.js'
import initSqlJs from 'sql.js/dist/sql-wasm-browser.js'
import type { Awaitable } from '../../../core/awaitable.ts'
import type { ReceiptStore } from '../engine/store/api.ts'
import type { SqlDriver, SqlRow, SqlStatement, SqlValue } from '../engine/store/driver.ts'
import { createGroupedStore, type OpenStore, toOpenStore } from '../engine/store/group-commit.ts'
import { inspect, migrate } from '../engine/store/schema.ts'
import { failStore } from '../errors.ts'

/** How every SQLite file begins (SQLite file format, section 1.3.1). */
const SQLITE_HEAD = 'SQLite format 3\0'

/** Where an embedded store's bytes live. */
export interface Persistence {
  /** What was saved last; null where nothing was. */
  load(): Awaitable<Uint8Array | null>
  /** Replaces what was saved, all or nothing; resolves once it will survive. */
  save(bytes: Uint8Array): Awaitable<void>
}

/** Options of the store over bytes. */
export interface BytesStoreOptions {
  readonly persistence: Persistence
  /** The file sql-wasm.wasm: its bytes, or compiled. */
  readonly sqlWasm: Uint8Array | ArrayBuffer | WebAssembly.Module
}

/**
 * Opens the store. Rejects with `store_damaged`, `store_newer` or `store_foreign`; nothing is saved then. The bytes are
 * saved whole after each group of writes.
 */
export async function openBytesStore(options: BytesStoreOptions): Promise<ReceiptStore> {
  const { persistence } = options
  const sql = await startSqlJs(options.sqlWasm)
  let opened: (OpenStore & { database: Database }) | undefined

  const load = async (): Promise<OpenStore> => {
    const bytes = await persistence.load()
    const { driver, database } = openDatabase(sql, bytes)
    opened = { ...toOpenStore(driver), database }
    return opened
  }
  await load()

  return createGroupedStore({
    open: () => opened ?? load(),
    schedule: (flush) => void Promise.resolve().then(flush),
    async persist() {
      const { database } = opened!
      try {
        await persistence.save(database.export())
      } catch (error) {
        // What is in memory may be ahead of what was saved: begin again from there.
        opened = undefined
        database.close()
        throw error
      }
    },
    async close() {
      opened?.driver.close()
      opened = undefined
    },
  })
}

function openDatabase(sql: SqlJsStatic, bytes: Uint8Array | null): { driver: SqlDriver; database: Database } {
  if (bytes !== null && String.fromCharCode(...bytes.subarray(0, 16)) !== SQLITE_HEAD) throw failStore('store_damaged')
  const database = new sql.Database(bytes)
  try {
    const driver = toDriver(database)
    const found = inspect(driver, true)
    database.run('PRAGMA journal_mode = MEMORY')
    if (found !== 'current') migrate(driver)
    return { driver, database }
  } catch (error) {
    database.close()
    throw error
  }
}

function startSqlJs(wasm: BytesStoreOptions['sqlWasm']): Promise<SqlJsStatic> {
  // Not asked with instanceof: a host may run this in a realm of its own.
  if ('byteLength' in wasm) return initSqlJs({ wasmBinary: wasm as ArrayBuffer })
  const instantiateWasm = (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object => {
    void WebAssembly.instantiate(wasm, imports).then((instance) => done(instance, wasm))
    return {}
  }
  return initSqlJs({ instantiateWasm } as Parameters<typeof initSqlJs>[0])
}

/** An export frees every prepared statement, so each is compiled again when it is next used after one. */
function toDriver(database: Database): SqlDriver {
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
        const found: Row[] = []
        try {
          statement.bind([...parameters])
          while (statement.step()) found.push(statement.get() as unknown as Row)
        } finally {
          statement.reset()
        }
        return found
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
