/**
 * The schema of the store: whose a database is, which migrations it has, and how the missing ones are run. The store
 * keeps the ids of its migrations in the table `meta`. A store that is older than ids says by `PRAGMA user_version`
 * which of the numbered migrations it has.
 */

import type { StorePart } from '../../../../core/declare/capabilities.ts'
import type { Migration, StoreDriver } from '../../../store/api.ts'
import { failStore } from '../../errors.ts'
import { RECEIPT_TABLES } from './migrations/receipts.ts'
import { addSums } from './migrations/sums.ts'

/** Marks a database file as ours (PRAGMA application_id): "svcR". */
const APPLICATION_ID = 0x73766352
/**
 * The version of a store with a migration that has an id alone and on which others depend. Programs that are older than
 * ids refuse it by this number; they would take the store for one of version 5 otherwise, and fail at tables that have
 * changed.
 */
const KNOWN_BY_IDS = 6
/** Begins the key of a row in `meta` that names a migration; the rest of the key is its id. */
const MIGRATION_KEY = 'migration:'

/** How a database says that it is a store, and of which version. */
export interface StoreMarks {
  /** Whether it is marked as ours, whether it is empty, and the version; 0 if there is none. */
  read(driver: StoreDriver): { readonly isOurs: boolean; readonly isEmpty: boolean; readonly version: number }
  /** Marks it as ours. Runs in the transaction of the migrations. */
  write(driver: StoreDriver, version: number): void
  /** Whether its pages are whole. */
  isWhole(driver: StoreDriver): boolean
}

/** The marks of a database that has nothing but the store: in the head of the file. */
export const fileMarks: StoreMarks = {
  read(driver) {
    const version = storeVersion(driver)
    const application = number(driver, 'PRAGMA application_id')
    const isBlank = version === 0 && number(driver, 'SELECT count(*) FROM sqlite_schema') === 0
    const isOurs = application === APPLICATION_ID
    return { isOurs, isEmpty: isBlank && (isOurs || application === 0), version }
  },
  write(driver, version) {
    mark(driver)
    driver.exec(`PRAGMA user_version = ${version}`)
  },
  isWhole: (driver) => driver.prepare('PRAGMA quick_check(1)').get()?.[0] === 'ok',
}

/** The migrations of a build, each after those that it requires. */
export type Migrations = readonly Migration[]

/** What was found in a database before anything is written to it. `empty`: nothing, or our mark alone. */
export type Found = 'empty' | 'current' | 'older'

/**
 * Composes the schema of a build. Throws if a migration is there twice, or requires one that is not there before it.
 */
export function toSchema(parts: readonly StorePart[]): Migrations {
  const waiting = [...ownMigrations, ...parts.flatMap(({ migrations = [] }) => migrations)]
  const ordered: Migration[] = []
  const ids = new Set<string>()
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ requires = [] }) => requires.every((id) => ids.has(id)))
    const [migration] = waiting.splice(Math.max(next, 0), 1) as [Migration]
    if (next < 0) throw new Error(`The migration ${migration.id} requires ${migration.requires?.join(', ')} before it.`)
    if (ids.has(migration.id)) throw new Error(`There are two migrations ${migration.id}.`)
    ids.add(migration.id)
    ordered.push(migration)
  }
  return ordered
}

/** The version of the stores that a build writes. */
export function newestVersion(schema: Migrations): number {
  return Math.max(...schema.map(({ version, independent }) => version ?? (independent === true ? 0 : KNOWN_BY_IDS)))
}

/**
 * Says what a database is, without writing. Throws `store_damaged`, `store_foreign` or `store_newer`, and the error of
 * SQLite if it cannot be read now. `deep` checks every page, which takes about a second for 500 MB.
 */
export function inspect(driver: StoreDriver, schema: Migrations, deep: boolean, marks: StoreMarks = fileMarks): Found {
  return namingDamage(() => {
    const { isOurs, isEmpty, version } = marks.read(driver)
    if (!isOurs && !isEmpty) throw failStore('store_foreign')
    if (version > newestVersion(schema)) throw failStore('store_newer')
    if (deep && !marks.isWhole(driver)) throw failStore('store_damaged')
    if (isEmpty) return 'empty'
    const { applied, unknown } = migrationsOf(driver, schema, version)
    if (unknown.length > 0) throw failStore('store_newer', { message: unknownMigrations(unknown) })
    return version === newestVersion(schema) && schema.every(({ id }) => applied.has(id)) ? 'current' : 'older'
  })
}

/** The version of the store in a database; 0 if there is none. */
export function storeVersion(driver: StoreDriver): number {
  return number(driver, 'PRAGMA user_version')
}

/** Whether a store has all migrations of a list. */
export function hasMigrations(driver: StoreDriver, schema: Migrations, wanted: readonly Migration[]): boolean {
  const { applied } = migrationsOf(driver, schema, storeVersion(driver))
  return wanted.every(({ id }) => applied.has(id))
}

/** Writes our mark into a database that is empty, before anything else is written to it. */
export function mark(driver: StoreDriver): void {
  driver.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
}

/** Runs the migrations that a database lacks, in one transaction. */
export function migrate(driver: StoreDriver, schema: Migrations, marks: StoreMarks = fileMarks): void {
  driver.exec('BEGIN IMMEDIATE')
  try {
    const { applied } = migrationsOf(driver, schema, marks.read(driver).version)
    for (const { id, up } of schema)
      if (!applied.has(id)) {
        if (typeof up === 'string') driver.exec(up)
        else up(driver)
      }
    marks.write(driver, newestVersion(schema))
    const record = driver.prepare('INSERT OR IGNORE INTO meta VALUES (?, ?)')
    for (const { id, independent } of schema)
      record.run(MIGRATION_KEY + id, independent === true ? 'independent' : 'needed')
    driver.exec('COMMIT')
  } catch (error) {
    try {
      driver.exec('ROLLBACK')
    } catch {
      // SQLite has rolled back by itself, as it does on a full disk. The first error has the reason.
    }
    throw error
  }
}

/**
 * The migrations that a store has: by its version, and by the ids that it keeps. `unknown` are those that a build must
 * know.
 */
function migrationsOf(
  driver: StoreDriver,
  schema: Migrations,
  stored: number,
): { readonly applied: ReadonlySet<string>; readonly unknown: readonly string[] } {
  // From KNOWN_BY_IDS on, a store keeps the ids of all its migrations.
  const numbered = stored < KNOWN_BY_IDS ? schema.filter(({ version = KNOWN_BY_IDS }) => version <= stored) : []
  const applied = new Set(numbered.map(({ id }) => id))
  const unknown: string[] = []
  // Version 0 has no table `meta`.
  const rows =
    stored === 0 ? [] : driver.prepare(`SELECT key, value FROM meta WHERE key GLOB '${MIGRATION_KEY}*'`).all()
  for (const [key, need] of rows) {
    const id = String(key).slice(MIGRATION_KEY.length)
    applied.add(id)
    if (need !== 'independent' && !schema.some((migration) => migration.id === id)) unknown.push(id)
  }
  return { applied, unknown }
}

function unknownMigrations(ids: readonly string[]): string {
  return `The receipt store was written by another build of svc; this build does not have ${ids.join(', ')}.`
}

/** Runs work on a database. Damage that SQLite reports is thrown as `store_damaged`, any other error as it is. */
export function namingDamage<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw isDamage(cause) ? failStore('store_damaged', { cause }) : cause
  }
}

/** Whether an error is SQLITE_CORRUPT or SQLITE_NOTADB, by its message, which is the same in both drivers. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && /malformed|not a database/.test(error.message)
}

function number(driver: StoreDriver, sql: string): number {
  return Number(driver.prepare(sql).get()?.[0])
}

/** In this order; only ever appended to. */
export const ownMigrations: readonly Migration[] = [
  { id: 'sync.receipts', version: 1, up: RECEIPT_TABLES },
  { id: 'sync.sums', version: 2, requires: ['sync.receipts'], up: addSums },
]
