/** Opens the file of a store. It is inspected before anything is written, and created if there is none. */

import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { isSvcError } from '../../../core/declare/errors.ts'
import { STORAGE_FULL } from '../../../core/kernel/storage-full.ts'
import type { SqlDriver } from '../../store/api.ts'
import { inspect, type Migrations, mark, migrate, namingDamage } from '../engine/store/schema.ts'
import { fail, failStore, type StoreCode } from '../errors.ts'
import { makeFolder, syncFolder } from './durable-files.ts'
import { loadSqlite } from './load-sqlite.ts'
import { explainSqlite, isBusy, needsRecovery, toDriver } from './sqlite-driver.ts'
import { requireDatabaseHead, survey } from './store-files.ts'
import { renewMark } from './store-mark.ts'

/** Up to this size the whole file is checked for damage when it is opened: half a second at most. */
const DEEP_CHECK_BYTES = 256 * 1024 * 1024
/**
 * 16 MiB of pages. Four times as much makes no push faster on a store of 100 000 receipts, because the system caches
 * the file too, and the process would grow for hours until the cache is full.
 */
const CACHE_KIB = 16_384
/**
 * 16 MiB of log between checkpoints, so that a page of an index that many pushes change is written to the file once for
 * all of them.
 */
const CHECKPOINT_PAGES = 4_000
/**
 * WAL, synced at each commit. The two pragmas with `fullfsync` make macOS sync to the medium; elsewhere they do
 * nothing. SQLite's busy timeout stays 0, because it would block the event loop. Statement journals stay in memory:
 * SQLite would write those over 64 KiB to the system's temporary folder, which may be full and is readable by others.
 */
export const PRAGMAS: string = `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;
  PRAGMA checkpoint_fullfsync = ON; PRAGMA trusted_schema = OFF; PRAGMA cache_size = -${CACHE_KIB};
  PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; PRAGMA temp_store = MEMORY`

/**
 * Opens a store, or creates one if there never was one. Throws a `StoreCode`, having changed nothing, or the error of
 * the file system or of SQLite if the store cannot be used now. `serves` is set for the one service of the store, whose
 * start renews its mark.
 */
export function openFile(path: string, schema: Migrations, serves: boolean): SqlDriver {
  makeFolder(dirname(path))
  const { size, hasMark } = survey(path)
  if (size === 0) closeSync(openSync(path, 'a', 0o600))
  else inspectFile(path, schema, size)
  return namingDamage(() => {
    const database = new (loadSqlite())(path)
    try {
      const driver = toDriver(database)
      const state = inspect(driver, schema, false)
      // From here on a process that is killed leaves a file with our mark.
      if (state === 'empty') {
        if (hasMark) throw failStore('store_missing')
        mark(driver)
      }
      driver.exec(PRAGMAS)
      if (state !== 'current') migrate(driver, schema)
      else requireWritable(driver)
      if (!hasMark) syncFolder(dirname(path))
      renewMark(path, driver, serves)
      return driver
    } catch (error) {
      database.close()
      throw error
    }
  })
}

/**
 * Opens a store on a full disk: it can be read, and takes writes again once there is room. The index of the log is in
 * the memory of this process, so that no other process can use the store meanwhile. Throws `receipt_store_unavailable`
 * if there is no store, or if it is of an older version.
 */
export function openWithoutRoom(path: string, schema: Migrations): SqlDriver {
  const { size } = survey(path)
  if (size === 0) throw noRoom(path, 'a new store needs room')
  return namingDamage(() => {
    const database = new (loadSqlite())(path)
    try {
      const driver = toDriver(database)
      // Before the file is first read.
      driver.exec('PRAGMA locking_mode = EXCLUSIVE')
      if (inspect(driver, schema, false) !== 'current') throw noRoom(path, 'the store is of an older version')
      driver.exec(PRAGMAS)
      return driver
    } catch (error) {
      database.close()
      throw error
    }
  })
}

/** The error of a store whose disk is full. The path is in the hint, which callers over HTTP do not get. */
export function noRoom(path: string, reason?: string, cause?: unknown): Error {
  return fail('receipt_store_unavailable', {
    message: `The disk of the receipt store is full${reason === undefined ? '' : `: ${reason}`}.`,
    hint: `make room for ${path} (df ${dirname(path)}); nothing else is needed`,
    headers: { 'retry-after': '1' },
    details: { reason: STORAGE_FULL },
    cause,
  })
}

/**
 * The error that kept a file from being used, with the path in its message. An error that is neither of the store nor
 * of SQLite stays as it is.
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

/** Opens a store or a backup read-only. Throws as `openFile` does. */
export function openForReading(path: string): SqlDriver {
  return namingDamage(() => toDriver(new (loadSqlite())(path, { readOnly: true })))
}

/** Inspects an existing file through a read-only connection, so that a foreign file is not changed. */
function inspectFile(path: string, schema: Migrations, size: number): void {
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
    // A process was killed during a rollback. The connection that may write finishes the rollback, and then inspects
    // the file.
  }
}

/** Writes nothing, but throws if the file cannot be written, so that a start fails and not the first push. */
function requireWritable(driver: SqlDriver): void {
  try {
    driver.exec('BEGIN IMMEDIATE; COMMIT')
  } catch (error) {
    // A file that another process has locked for writing can be written.
    if (!isBusy(error)) throw error
  }
}
