/**
 * The medium of a node: SQLite of sql.js in memory. What a group of writes came to is held back until the medium has it, so
 * that a crash loses what was not synced, and only that; the store above is the one that ships.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Database, SqlJsStatic } from 'sql.js'
import type { Awaitable } from '../../core/awaitable.ts'
import { createAuditChain } from '../../plugins/kbd/engine/audit/audit-chain.ts'
import type { ReceiptStore } from '../../plugins/sync/engine/store/api.ts'
import type { SqlDriver, SqlRow, SqlStatement, SqlValue } from '../../plugins/sync/engine/store/driver.ts'
import { createGroupedStore } from '../../plugins/sync/engine/store/group-commit.ts'
import { type OpenStore, toOpenStore } from '../../plugins/sync/engine/store/open-store.ts'
import { inspect, mark, migrate, newestVersion, toSchema } from '../../plugins/sync/engine/store/schema.ts'
import { nativeSha256 } from '../../plugins/sync/store-sqlite/native-sha256.ts'
import { toDriver } from '../../plugins/sync/store-sqljs/bytes-store.ts'
import { startSqlJs } from '../../plugins/sync/store-sqljs/sql-js.ts'
import { storeParts } from '../support/store-parts.ts'

/** How a medium behaves. */
export interface DiskParts {
  /** Milliseconds that the next sync takes; undefined where it fails. */
  readonly syncMs: () => number | undefined
  readonly pause: (ms: number) => Promise<void>
  /** Hears that the medium has something new. */
  readonly synced: () => void
  /** Hears that something was written that the medium will never have. */
  readonly lost: (why: 'crash' | 'failure') => void
  /** A broken medium says that it has what it does not have yet. */
  readonly saysTooEarly?: boolean
}

/** The medium of a node, which outlives its crashes. */
export interface Disk {
  /** A store on it; one at a time. The schema stays as it is where `isFormer`. */
  open(isFormer: boolean): Awaitable<ReceiptStore>
  /** Power is lost: what was not synced is gone, and the store that was open is dead. */
  crash(): void
  /** Reads what is on it, whoever has it open: for the judge alone, who sees also what is held back. */
  rows<Row extends SqlRow>(text: string, ...given: readonly SqlValue[]): readonly Row[]
  /** Whether something is written that is not synced. */
  readonly held: boolean
  close(): void
}

let started: { readonly Database: SqlJsStatic['Database']; readonly wasm: WebAssembly.Module }
const images = new Map<number, Uint8Array>()

/** Starts sql.js, which alone takes time of the machine's own. */
export async function startDisks(): Promise<void> {
  const path = createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm-browser.wasm')
  const wasm = await WebAssembly.compile(readFileSync(path))
  const { Database } = await startSqlJs(wasm)
  started = { Database, wasm }
}

/** sql.js, once it was started. */
export function sqlJs(): typeof started {
  return started
}

/** A medium with what is in an image. */
export function createDisk(parts: DiskParts, image: Uint8Array): Disk {
  const database = new started.Database(image)
  // Alone on a file in memory: nothing has to be locked, looked at anew or flushed.
  for (const pragma of ['journal_mode = MEMORY', 'locking_mode = EXCLUSIVE', 'synchronous = OFF'])
    database.run(`PRAGMA ${pragma}`)
  const plain = toDriver(database)
  const prepared = new Map<string, SqlStatement>()
  /** Each statement is compiled once, however often a node starts. */
  const driver: SqlDriver = {
    ...plain,
    prepare(text) {
      let statement = prepared.get(text)
      if (statement === undefined) prepared.set(text, (statement = plain.prepare(text)))
      return statement
    },
  }
  let life = 0
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
      life++
      if (held) parts.lost('crash')
      try {
        database.run('ROLLBACK')
      } catch {
        // Nothing was under way.
      }
      held = false
    },
    close: () => database.close(),
    open(isFormer) {
      const mine = ++life
      const isAlive = (): boolean => life === mine
      let opened: OpenStore | undefined
      const hold = (): void => {
        if (isAlive()) held = true
      }
      const begin = (): void => {
        // A medium that says so too early is written to again before it has what came before.
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
            // As on a full disk: nothing of the group is there, and the store begins again from what is.
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

/** A driver that is dead after a crash, and whose commits are held back. */
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

/** An empty store of a version of the schema. */
export function imageOf(version: number): Uint8Array {
  const known = images.get(version)
  if (known !== undefined) return known
  const database: Database = new started.Database()
  const driver = toDriver(database)
  if (version === newestVersion(schema)) migrate(driver, schema)
  else {
    for (const { up, version: brings = Number.POSITIVE_INFINITY } of schema)
      if (brings <= version) typeof up === 'string' ? driver.exec(up) : up(driver)
    mark(driver)
    driver.exec(`PRAGMA user_version = ${version}`)
  }
  const image = database.export()
  images.set(version, image)
  database.close()
  return image
}
