/** Work of an operator on the file of a store: info, check, backup, restore. */

import { closeSync, existsSync, linkSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { StorePart } from '../../../core/declare/capabilities.ts'
import { isSvcError } from '../../../core/declare/errors.ts'
import { canonicalText } from '../../protocol/canonical.ts'
import { fromBase64, toBase64 } from '../../protocol/codecs.ts'
import type { StoreCheck as CheckOfFeature, SqlDriver } from '../../store/api.ts'
import { checkRows } from '../engine/store/check-rows.ts'
import { countContents, type StoreCounts } from '../engine/store/contents.ts'
import { createLedger } from '../engine/store/ledger.ts'
import {
  hasMigrations,
  inspect,
  isDamage,
  namingDamage,
  newestVersion,
  ownMigrations,
  storeVersion,
  toSchema,
} from '../engine/store/schema.ts'
import { failStore } from '../errors.ts'
import { makeFolder, syncFile, syncFolder } from './durable-files.ts'
import { loadSqlite } from './load-sqlite.ts'
import { nativeSha256 } from './native-sha256.ts'
import { failedAt, openForReading } from './open-file.ts'
import { isBusy, toDriver } from './sqlite-driver.ts'
import { logPath, requireDatabaseHead, sizeOf, survey } from './store-files.ts'
import { lockStore } from './store-lock.ts'
import { hasMark, writeMark } from './store-mark.ts'

/** Receipts that are read at a time. */
const SLICE = 1_000

/** The result of `storeInfo`. */
export interface StoreInfo {
  readonly path: string
  /** The version of its schema, and the one that this build writes. */
  readonly version: number
  readonly newest: number
  readonly bytes: number
  readonly logBytes: number
  readonly counts: StoreCounts
}

/** The result of a check. */
export interface StoreCheck {
  readonly receipts: number
  /** What is damaged, such as `receipt 12` or `audit entry 7`, or a message of SQLite about its pages. */
  readonly damaged: readonly string[]
}

/** Counts what is in a store, while a service may be using it. Throws a `StoreCode`. */
export function storeInfo(path: string, parts: readonly StorePart[]): StoreInfo {
  return reading(path, parts, (driver) => ({
    path,
    version: storeVersion(driver),
    newest: newestVersion(toSchema(parts)),
    bytes: sizeOf(path),
    logBytes: sizeOf(logPath(path)),
    counts: countContents(driver, parts),
  }))
}

/**
 * Looks at every page and every row, and runs the checks of the store parts, while a service may be using the store.
 * Throws a `StoreCode`.
 */
export function checkStore(path: string, parts: readonly StorePart[]): StoreCheck {
  return reading(path, parts, (driver) => {
    // One snapshot for the whole check, because a running service changes the store meanwhile.
    driver.exec('BEGIN')
    const damaged: string[] = []
    const pages = driver.prepare('PRAGMA integrity_check(10)').all()
    for (const [said] of pages) if (said !== 'ok') damaged.push(String(said))
    // The first version of the store has no sums yet.
    const schema = toSchema(parts)
    if (!hasMigrations(driver, schema, ownMigrations))
      return { receipts: countContents(driver, parts)['receipts'] ?? 0, damaged }
    const ledger = createLedger(driver)
    let receipts = 0
    for (let after: number | undefined = -1; after !== undefined; ) {
      const report = checkRows(ledger, after, SLICE)
      receipts += report.receipts
      damaged.push(...report.damaged)
      after = report.next
    }
    for (const { check, migrations = [] } of parts)
      if (check !== undefined && hasMigrations(driver, schema, migrations)) damaged.push(...withScratch(driver, check))
    return { receipts, damaged }
  })
}

/** Runs a check with an empty scratch database; a large one is in a temporary file without a name. */
function withScratch(driver: SqlDriver, check: CheckOfFeature): readonly string[] {
  const scratch = toDriver(new (loadSqlite())(''))
  try {
    const codecs = { sha256: nativeSha256, canonicalText, toBase64, fromBase64 }
    return check({ driver, scratch, sums: createLedger(driver).sums, ...codecs })
  } finally {
    scratch.close()
  }
}

/**
 * Writes everything that was committed, as of one moment, into a new file, mode 0600, while the service goes on. The
 * file gets its name only when it is complete, checked and on disk.
 */
export function backupStore(path: string, to: string, parts: readonly StorePart[]): StoreCheck {
  if (existsSync(to)) throw new Error(`${to} exists already.`)
  const partial = `${resolve(to)}.partial`
  rmSync(partial, { force: true })
  closeSync(openSync(partial, 'wx', 0o600))
  try {
    reading(path, parts, (driver) => driver.prepare('VACUUM INTO ?').run(partial))
    const check = checkStore(partial, parts)
    if (check.damaged.length > 0) return check
    syncFile(partial)
    linkSync(partial, to)
    syncFolder(dirname(resolve(to)))
    return check
  } finally {
    rmSync(partial, { force: true })
  }
}

/** The result of a restore. */
export interface Restored {
  /** Path of the store that was replaced; undefined if there was none. */
  readonly keptAt: string | undefined
}

/**
 * Puts a backup in the place of a store; no service may have the store open. The replaced store is kept beside it under
 * another name. If the process is killed, either store is there, or none and the marker file.
 */
export function restoreStore(path: string, from: string, nowMs: number, parts: readonly StorePart[]): Restored {
  const check = checkStore(from, parts)
  if (check.damaged.length > 0) throw failStore('store_damaged', { message: `${from} is damaged itself.` })
  makeFolder(dirname(path))
  const unlock = lockToRestore(path)
  try {
    return replaceStore(path, from, nowMs, parts)
  } finally {
    unlock()
  }
}

function replaceStore(path: string, from: string, nowMs: number, parts: readonly StorePart[]): Restored {
  requireUnused(path)
  const fresh = `${path}.restore`
  for (const file of [fresh, logPath(fresh), `${fresh}-shm`]) rmSync(file, { force: true })
  // Copied by SQLite, so that a log beside the backup is included.
  closeSync(openSync(fresh, 'wx', 0o600))
  reading(from, parts, (driver) => driver.prepare('VACUUM INTO ?').run(fresh))
  syncFile(fresh)
  if (!hasMark(path)) writeMark(path)
  const keptAt = `${path}.before-${nowMs}`
  if (existsSync(keptAt)) throw new Error(`${keptAt} exists already.`)
  const hadFile = existsSync(path)
  // The file is moved before its log: a file without its log would be taken for a whole store.
  if (hadFile) renameSync(path, keptAt)
  if (existsSync(logPath(path))) renameSync(logPath(path), logPath(keptAt))
  rmSync(`${path}-shm`, { force: true })
  linkSync(fresh, path)
  rmSync(fresh)
  syncFolder(dirname(path))
  return { keptAt: hadFile ? keptAt : undefined }
}

function lockToRestore(path: string): () => void {
  try {
    return lockStore(path)
  } catch (error) {
    throw isSvcError(error, 'store_locked') ? inUse() : error
  }
}

function inUse(): Error {
  return new Error('The store is in use. Stop the service first.')
}

/**
 * Throws if a process has the store open: in WAL mode each such process holds a lock on the file. As a side effect
 * SQLite writes the log of a healthy store into its file.
 */
function requireUnused(path: string): void {
  if (!existsSync(path)) return
  try {
    requireDatabaseHead(path)
    survey(path)
    const database = new (loadSqlite())(path)
    try {
      database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; ROLLBACK')
    } finally {
      database.close()
    }
  } catch (error) {
    if (isBusy(error)) throw inUse()
    // Such a file cannot be locked, or must not be opened with its log. No service uses it, because a service holds the
    // lock of the store.
    if (!isDamage(error) && !(isSvcError(error) && error.code in failStore.rows)) throw error
  }
}

/** Runs work on an existing store or backup, read-only. */
function reading<T>(path: string, parts: readonly StorePart[], work: (driver: SqlDriver) => T): T {
  try {
    return namingDamage(() => {
      survey(path)
      if (!existsSync(path)) throw new Error(`There is no store at ${path}.`)
      requireDatabaseHead(path)
      const driver = openForReading(path)
      try {
        if (inspect(driver, toSchema(parts), false) === 'empty') throw failStore('store_missing')
        return work(driver)
      } finally {
        driver.close()
      }
    })
  } catch (error) {
    throw failedAt(path, error)
  }
}
