/**
 * The mark of a store: an id that its file and the mark file beside it share, new at each start of the service and then
 * each minute in which there were commits. After a crash the log has commits that are not in the file. If a copy is put
 * in the place of the file, SQLite would apply this log to the copy: at best the copy is silently undone, at worst
 * pages of two stores are mixed. The mark shows that the file is another one.
 */

import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { SqlDriver } from '../../store/api.ts'
import { isDamage } from '../engine/store/schema.ts'
import { failStore } from '../errors.ts'
import { replaceFile } from './durable-files.ts'
import { loadSqlite } from './load-sqlite.ts'
import { toDriver } from './sqlite-driver.ts'
import { emptyLog, newMark, readMark, writeMarkRow } from './statements.ts'

/** The mark file beside a store, which also shows that a store was here. */
function markPath(path: string): string {
  return `${path}.mark`
}

/** Whether there is a mark file. */
export function hasMark(path: string): boolean {
  return statSync(markPath(path), { throwIfNoEntry: false }) !== undefined
}

/** Writes the mark file without an id. The service never removes it. */
export function writeMark(path: string): void {
  writeIds(path, [])
}

/**
 * Gives a store a new id if `always` is set, or if its id is not in the mark file. The new id is added to the mark file
 * first and the other ids are removed last, so that a process that is killed in between leaves files that fit together.
 */
export function renewMark(path: string, driver: SqlDriver, always: boolean): void {
  const ids = idsOf(path)
  const present = readMark(driver)
  const isKnown = present !== undefined && ids.includes(present)
  if (!always && isKnown) return
  const id = isKnown && ids.length >= MAX_IDS ? present : newMark(driver)
  if (id !== present) {
    // A file without an id could not be told from a copy.
    writeIds(path, present === undefined ? [] : [id, ...new Set([present, ...ids])])
    writeMarkRow(driver, id)
  }
  // While another process reads an older state, the id is in the log alone, and the older ids stay valid.
  if (emptyLog(driver)) writeIds(path, [id])
}

/** While another process keeps the log from being emptied, ids are not removed, so that no more than these are made. */
const MAX_IDS = 8

/** Whether a log of this size has commits: its header has 32 bytes (SQLite file format, section 4.1). */
export function hasCommits(logBytes: number): boolean {
  return logBytes > 32
}

/** Position and value of the read version of a database that has no log (SQLite file format, section 1.3.3). */
const [VERSION_AT, WITHOUT_LOG] = [19, 1]

/**
 * Throws `store_replaced` if a log with commits is beside a file to which it does not belong: one that never had a log,
 * as a backup of `svc store backup`, or one with another id. A mark file without ids, which older programs wrote, says
 * nothing.
 */
export function requireOwnLog(path: string, logBytes: number): void {
  if (!hasCommits(logBytes)) return
  if (readVersion(path) === WITHOUT_LOG) throw failStore('store_replaced')
  const before = idsOf(path)
  if (before.length === 0) return
  const present = idInFile(path)
  // A service that starts meanwhile may have renewed the mark between the two reads.
  if (present !== DAMAGED && ![...before, ...idsOf(path)].includes(present)) throw failStore('store_replaced')
}

function readVersion(path: string): number | undefined {
  const byte = Buffer.alloc(1)
  const file = openSync(path, 'r')
  try {
    return readSync(file, byte, 0, 1, VERSION_AT) === 1 ? byte[0] : undefined
  } finally {
    closeSync(file)
  }
}

/** Stands for the id of a file that the log may repair, or that is refused when it is inspected. */
const DAMAGED = 'damaged'

/**
 * The id in the file alone, without its log: SQLite ignores the log of an immutable database. Empty if there is none.
 */
function idInFile(path: string): string {
  const database = new (loadSqlite())(`${pathToFileURL(path).href}?immutable=1`, { readOnly: true })
  try {
    return readMark(toDriver(database)) ?? ''
  } catch (error) {
    return isDamage(error) ? DAMAGED : ''
  } finally {
    database.close()
  }
}

function idsOf(path: string): readonly string[] {
  return hasMark(path) ? (readFileSync(markPath(path), 'utf8').match(/^[0-9a-f]{32}$/gm) ?? []) : []
}

function writeIds(path: string, ids: readonly string[]): void {
  const about = 'A receipt store of svc is here. Without sync.db beside it, the service does not start.'
  replaceFile(markPath(path), `${[about, ...ids].join('\n')}\n`)
}
