/**
 * The medium of a node: SQLite of sql.js in memory. The commit of a group of writes is held back until the medium has
 * synced, so that a crash loses exactly what was not synced. The store above the medium is the real one.
 */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Database, SqlJsStatic } from 'sql.js'
import type { Awaitable } from '../../core/kernel/values.ts'
import { createAuditChain } from '../../plugins/kbd/engine/audit/audit-chain.ts'
import type { SqlDriver, SqlRow, SqlStatement, SqlValue } from '../../plugins/store/api.ts'
import type { ReceiptStore } from '../../plugins/sync/engine/store/api.ts'
import { createGroupedStore } from '../../plugins/sync/engine/store/group-commit.ts'
import { type OpenStore, toOpenStore } from '../../plugins/sync/engine/store/open-store.ts'
import { inspect, mark, migrate, newestVersion, toSchema } from '../../plugins/sync/engine/store/schema.ts'
import { nativeSha256 } from '../../plugins/sync/store-sqlite/native-sha256.ts'
import { toDriver } from '../../plugins/sync/store-sqljs/bytes-store.ts'
import { startSqlJs } from '../../plugins/sync/store-sqljs/sql-js.ts'
import { storeParts } from '../support/store-parts.ts'

/** The behaviour of a medium. */
export interface DiskParts {
  /** The duration of the next sync in milliseconds, or undefined if the sync fails. */
  readonly syncMs: () => number | undefined
  readonly pause: (ms: number) => Promise<void>
  /** Called after each sync. */
  readonly synced: () => void
  /** Called when held writes are lost. */
  readonly lost: (why: 'crash' | 'failure') => void
  /** Whether the medium is broken and reports a sync before it has happened. */
  readonly saysTooEarly?: boolean
}

/** The medium of a node, which outlives its crashes. */
export interface Disk {
  /** Opens a store on the medium. Only one store is open at a time. With `isFormer` the schema is not migrated. */
  open(isFormer: boolean): Awaitable<ReceiptStore>
  /** Simulates a loss of power: writes that were not synced are lost, and the open store stops working. */
  crash(): void
  /** Reads from the medium while a store is open, including writes that are held back. Only the judge uses it. */
  rows<Row extends SqlRow>(text: string, ...given: readonly SqlValue[]): readonly Row[]
  /** Whether there are writes that are not synced. */
  readonly held: boolean
  close(): void
}

let started: { readonly Database: SqlJsStatic['Database']; readonly wasm: WebAssembly.Module }
const images = new Map<number, Uint8Array>()

/** Starts sql.js. This is the only step that takes real time. */
export async function startDisks(): Promise<void> {
  const path = createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm-browser.wasm')
  const wasm = await WebAssembly.compile(readFileSync(path))
  const { Database } = await startSqlJs(wasm)
  started = { Database, wasm }
}

/** sql.js, after `startDisks`. */
export function sqlJs(): typeof started {
  return started
}

/** Creates a medium with the content of an image. */
export function createDisk(parts: DiskParts, image: Uint8Array): Disk {
  const database = new started.Database(image)
  // No other connection uses this database in memory, so locks, checks for changes and flushes are unnecessary.
  for (const pragma of ['journal_mode = MEMORY', 'locking_mode = EXCLUSIVE', 'synchronous = OFF'])
    database.run(`PRAGMA ${pragma}`)
  const plain = toDriver(database)
  const prepared = new Map<string, SqlStatement>()
  /** Compiles each statement only once for all starts of a node. */
  const driver: SqlDriver = {
    ...plain,
    prepare(text) {
      let statement = prepared.get(text)
      if (statement === undefined) prepared.set(text, (statement = plain.prepare(text)))
      return statement
    },
  }
  let generation = 0
  let held = false
  const commit = (): void => {
    held = false
    database.run('COMMIT')
    parts.synced()
  }
  const rollback = (): void => {
    if (held) database.run('ROLLBACK')
    held = false
  }

  return {
    rows: <Row extends SqlRow>(text: string, ...given: readonly SqlValue[]) => driver.prepare(text).all<Row>(...given),
    get held() {
      return held
    },
    crash() {
      generation++
      if (held) parts.lost('crash')
      try {
        database.run('ROLLBACK')
      } catch {
        // There was no open transaction.
      }
      held = false
    },
    close: () => database.close(),
    open(isFormer) {
      const ownGeneration = ++generation
      const isAlive = (): boolean => generation === ownGeneration
      let opened: OpenStore | undefined
      const hold = (): void => {
        if (isAlive()) held = true
      }
      const begin = (): void => {
        // If the medium reports syncs too early, the next write can begin before the previous commit.
        if (held) commit()
      }
      return createGroupedStore({
        open: () => (opened ??= openOn(guarded(driver, isAlive, begin, hold), isFormer)),
        schedule: (flush) => void Promise.resolve().then(flush),
        async persist() {
          const syncMs = parts.syncMs()
          const landed = parts.pause(syncMs ?? 1).then(() => {
            if (!isAlive()) return new Promise<never>(() => undefined)
            if (syncMs !== undefined) return held ? commit() : undefined
            // As on a full disk: no write of the group is stored, and the store continues from the stored state.
            rollback()
            opened = undefined
            parts.lost('failure')
            throw new Error('disk full')
          })
          if (parts.saysTooEarly !== true) return landed
          landed.catch(() => undefined)
        },
        async close() {
          if (isAlive()) rollback()
          opened = undefined
        },
      })
    },
  }
}

/** A driver that fails after a crash and holds back commits. */
function guarded(driver: SqlDriver, isAlive: () => boolean, begin: () => void, hold: () => void): SqlDriver {
  const requireLife = (): void => {
    if (!isAlive()) throw new Error('The process is gone.')
  }
  return {
    exec(text) {
      requireLife()
      driver.exec(text)
    },
    close: () => undefined,
    prepare(text) {
      requireLife()
      if (text === 'COMMIT') return { run: hold, get: () => undefined, all: () => [] }
      const statement = driver.prepare(text)
      return {
        run(...parameters) {
          requireLife()
          if (text === 'BEGIN IMMEDIATE') begin()
          statement.run(...parameters)
        },
        get(...parameters) {
          requireLife()
          return statement.get(...parameters)
        },
        all(...parameters) {
          requireLife()
          return statement.all(...parameters)
        },
      }
    },
  }
}

const schema = toSchema(storeParts)

function openOn(driver: SqlDriver, isFormer: boolean): OpenStore {
  if (inspect(driver, schema, false) !== 'current' && !isFormer) migrate(driver, schema)
  const store = toOpenStore(driver)
  const audit = createAuditChain({ driver: store.ledger.driver, sha256: nativeSha256 })
  return { ...store, ledger: { ...store.ledger, audit } }
}

/** An empty store with the given schema version. */
export function imageOf(version: number): Uint8Array {
  const cached = images.get(version)
  if (cached !== undefined) return cached
  const database: Database = new started.Database()
  const driver = toDriver(database)
  if (version === newestVersion(schema)) migrate(driver, schema)
  else {
    // The boards of the former node run in the present program, so they have its tables.
    const record = (id: string): void =>
      driver.prepare('INSERT INTO meta VALUES (?, ?)').run(`migration:${id}`, 'needed')
    for (const { id, up, version: brings } of schema) {
      const isOfBoards = brings === undefined && id.startsWith('kbd.')
      if (!isOfBoards && !(brings !== undefined && brings <= version)) continue
      typeof up === 'string' ? driver.exec(up) : up(driver)
      if (isOfBoards) record(id)
    }
    mark(driver)
    driver.exec(`PRAGMA user_version = ${version}`)
  }
  const image = database.export()
  images.set(version, image)
  database.close()
  return image
}
