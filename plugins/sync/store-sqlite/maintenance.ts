/** What an operator does with the file of a store: look, check, back up, restore. */

import { closeSync, existsSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { StorePart } from '../../../core/capabilities.ts'
import { isSvcError } from '../../../core/errors.ts'
import { canonicalText } from '../../protocol/canonical.ts'
import { fromBase64, toBase64 } from '../../protocol/codecs.ts'
import type { StoreCheck as CheckOfFeature } from '../api.ts'
import { checkRows } from '../engine/store/check-rows.ts'
import { countContents, type StoreCounts } from '../engine/store/contents.ts'
import type { SqlDriver } from '../engine/store/driver.ts'
import { createLedger } from '../engine/store/ledger.ts'
import { ownMigrations } from '../engine/store/migrations/migrations.ts'
import {
  hasMigrations,
  inspect,
  isDamage,
  namingDamage,
  newestVersion,
  storeVersion,
  toSchema,
} from '../engine/store/schema.ts'
import { failStore } from '../errors.ts'
import { makeFolder, syncFile, syncFolder } from './durable-files.ts'
import { loadSqlite } from './load-sqlite.ts'
import { nativeSha256 } from './native-sha256.ts'
import { failedAt, openForReading } from './open-file.ts'
import { isBusy, toDriver } from './sqlite-driver.ts'
import { logPath, requireDatabaseHead, survey, writeMark } from './store-files.ts'

/** Receipts that are checked between two looks at the clock: the command may be interrupted there. */
const SLICE = 1_000

/** What is said of a store. */
export interface StoreInfo {
  readonly path: string
  /** The version of its schema, and the one that this build writes. */
  readonly version: number
  readonly newest: number
  readonly bytes: number
  readonly logBytes: number
  readonly counts: StoreCounts
}

/** What a check found. */
export interface StoreCheck {
  readonly receipts: number
  /** What is damaged: `receipt 12`, `audit entry 7`, what features say of their own, or SQLite of its pages. */
  readonly damaged: readonly string[]
}

/** Counts what is in a store, while a service may be using it. Throws a `StoreCode`. */
export function storeInfo(path: string, parts: readonly StorePart[]): StoreInfo {
  const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
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
    // One look for all of it: a service that goes on must not seem to contradict itself.
    driver.exec('BEGIN')
    const damaged: string[] = []
    const pages = driver.prepare('PRAGMA integrity_check(10)').all()
    for (const [said] of pages) if (said !== 'ok') damaged.push(String(said))
    // The first version of the store has no sums yet.
    if (!hasMigrations(driver, toSchema(parts), ownMigrations))
      return { receipts: countContents(driver, parts)['receipts'] ?? 0, damaged }
    const ledger = createLedger(driver)
    let receipts = 0
    for (let after: number | undefined = -1; after !== undefined; ) {
      const report = checkRows(ledger, after, SLICE)
      receipts += report.receipts
      damaged.push(...report.damaged)
      after = report.next
    }
    for (const { check } of parts) if (check !== undefined) damaged.push(...withScratch(driver, check))
    return { receipts, damaged }
  })
}

/** Runs a check beside a database of its own, which SQLite keeps in a file without a name where it grows. */
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
 * Writes everything committed so far into a new file, mode 0600, while the service goes on. The file appears under its
 * name only when it is whole, checked and on disk.
 */
export function backupStore(path: string, to: string, parts: readonly StorePart[]): StoreCheck {
  if (existsSync(to)) throw new Error(`${to} exists already.`)
  const partial = `${resolve(to)}.partial`
  rmSync(partial, { force: true })
  closeSync(openSync(partial, 'wx', 0o600))
  try {
    reading(path, parts, (driver) => driver.prepare('VACUUM INTO ?').run(partial))
    const found = checkStore(partial, parts)
    if (found.damaged.length > 0) return found
    syncFile(partial)
    linkSync(partial, to)
    syncFolder(dirname(resolve(to)))
    return found
  } finally {
    rmSync(partial, { force: true })
  }
}

/** Where the store of before is kept. */
export interface Restored {
  readonly keptAt: string | undefined
}

/**
 * Puts a backup in the place of a store; no service may have it open. What was there is kept beside it under another name.
 * A kill on the way leaves either store, or none and the small file that says so.
 */
export function restoreStore(path: string, from: string, nowMs: number, parts: readonly StorePart[]): Restored {
  const found = checkStore(from, parts)
  if (found.damaged.length > 0) throw failStore('store_damaged', { message: `${from} is damaged itself.` })
  makeFolder(dirname(path))
  requireUnused(path)
  const fresh = `${path}.restore`
  for (const file of [fresh, logPath(fresh), `${fresh}-shm`]) rmSync(file, { force: true })
  // Copied as SQLite reads it, so that a log beside the backup is not forgotten.
  closeSync(openSync(fresh, 'wx', 0o600))
  reading(from, parts, (driver) => driver.prepare('VACUUM INTO ?').run(fresh))
  syncFile(fresh)
  writeMark(path)
  const keptAt = `${path}.before-${nowMs}`
  if (existsSync(keptAt)) throw new Error(`${keptAt} exists already.`)
  const hadFile = existsSync(path)
  // The file goes first: a file without its log would be taken for a whole store.
  if (hadFile) renameSync(path, keptAt)
  if (existsSync(logPath(path))) renameSync(logPath(path), logPath(keptAt))
  rmSync(`${path}-shm`, { force: true })
  linkSync(fresh, path)
  rmSync(fresh)
  syncFolder(dirname(path))
  return { keptAt: hadFile ? keptAt : undefined }
}

/**
 * Throws where a process has the store open: in WAL mode each holds a lock on the file for as long. A healthy store has its
 * log brought into its file by the way.
 */
function requireUnused(path: string): void {
  if (!existsSync(path)) return
  try {
    requireDatabaseHead(path)
    const database = new (loadSqlite())(path)
    try {
      database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; ROLLBACK')
    } finally {
      database.close()
    }
  } catch (error) {
    if (isBusy(error)) throw new Error('The store is in use. Stop the service first.')
    // What is damaged cannot be asked; a service that has it open notices that it is replaced.
    if (!isDamage(error) && !isSvcError(error, 'store_damaged')) throw error
  }
}

/** Runs work on a store or a backup that exists, reading alone. */
function reading<T>(path: string, parts: readonly StorePart[], work: (driver: SqlDriver) => T): T {
  try {
    return namingDamage(() => {
      if (!existsSync(path)) {
        survey(path)
        throw new Error(`There is no store at ${path}.`)
      }
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
