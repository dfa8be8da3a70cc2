/** Opens the file of a store: says what it is before anything is written, and brings it into the world where there is none. */
import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { isSvcError } from '../../../core/errors.ts'
import type { SqlDriver } from '../engine/store/driver.ts'
import { inspect, mark, migrate, namingDamage, type Schema } from '../engine/store/schema.ts'
import { fail, failStore, type StoreCode } from '../errors.ts'
import { makeFolder, syncFolder } from './durable-files.ts'
import { loadSqlite } from './load-sqlite.ts'
import { explainSqlite, isBusy, needsRecovery, toDriver } from './sqlite-driver.ts'
import { requireDatabaseHead, survey, writeMark } from './store-files.ts'

/** Up to this size the whole file is checked for damage when it is opened: half a second at most. */
const DEEP_CHECK_BYTES = 256 * 1024 * 1024
/**
 * 16 MiB of pages. Four times as much makes no push faster on a store of 100 000, as the system keeps the file in memory
 * too, and the process would grow for hours until it is full.
 */
const CACHE_KIB = 16_384
/** 16 MiB of log between checkpoints: a page of the index that many pushes touch goes to the file once for all of them. */
const CHECKPOINT_PAGES = 4_000
/**
 * WAL, synced at each commit. macOS syncs to the medium only when asked so; elsewhere these two mean nothing. The busy time
 * of SQLite stays 0: it would hold the loop. What a piece of work may have to undo stays in memory: SQLite would put all over
 * 64 KiB into a file of the system's folder for such, which may be full, and is nobody's place for what is signed here.
 */
export const PRAGMAS: string = `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;
  PRAGMA checkpoint_fullfsync = ON; PRAGMA trusted_schema = OFF; PRAGMA cache_size = -${CACHE_KIB};
  PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; PRAGMA temp_store = MEMORY`

/**
 * Opens a store, or begins one where none ever was. Throws a `StoreCode`, having changed nothing, or what the file system
 * or SQLite throws where the store cannot be used now.
 */
export function openFile(path: string, schema: Schema): SqlDriver {
  makeFolder(dirname(path))
  const { size, hasMark } = survey(path)
  if (size === 0) closeSync(openSync(path, 'a', 0o600))
  else inspectFile(path, schema, size)
  return namingDamage(() => {
    const database = new (loadSqlite())(path)
    try {
      const driver = toDriver(database)
      const found = inspect(driver, schema, false)
      // From here on whoever is killed leaves a file that says whose it is.
      if (found === 'empty') {
        if (hasMark) throw failStore('store_missing')
        mark(driver)
      }
      driver.exec(PRAGMAS)
      if (found !== 'current') migrate(driver, schema)
      else requireWritable(driver)
      if (!hasMark) {
        syncFolder(dirname(path))
        writeMark(path)
      }
      return driver
    } catch (error) {
      database.close()
      throw error
    }
  })
}

/**
 * What kept a file from being used, with its path: whoever runs a service or a command is to know where to look. What neither a
 * store nor SQLite says stays as it is.
 */
export function failedAt(path: string, error: unknown): unknown {
  if (isSvcError(error))
    return error.code in failStore.rows
      ? failStore(error.code as StoreCode, { message: `${path}: ${error.message}`, cause: error })
      : error
  const { message, ...rest } = explainSqlite(error)
  if (message === undefined) return error
  return fail('receipt_store_unavailable', { message: `${path}: ${message}`, ...rest, cause: error })
}

/** Opens a store or a backup for reading alone. Throws as `openFile` does. */
export function openForReading(path: string): SqlDriver {
  return namingDamage(() => toDriver(new (loadSqlite())(path, { readOnly: true })))
}

/** Looks at an existing file through a read-only connection, so that a foreign one is not touched. */
function inspectFile(path: string, schema: Schema, size: number): void {
  requireDatabaseHead(path)
  try {
    const driver = openForReading(path)
    try {
      inspect(driver, schema, size <= DEEP_CHECK_BYTES)
    } finally {
      driver.close()
    }
  } catch (error) {
    if (!needsRecovery(error)) throw error
    // A process was killed in the middle of a rollback. Who may write finishes that first; the next look is at the result.
  }
}

/** Writes nothing, but fails on a file that cannot be written, now and not at the first push. */
function requireWritable(driver: SqlDriver): void {
  try {
    driver.exec('BEGIN IMMEDIATE; COMMIT')
  } catch (error) {
    // Whoever holds it can write it.
    if (!isBusy(error)) throw error
  }
}
