/** The schema of the receipt store: whose a file is, of which version, and how it comes to the present one. */
import { failStore } from '../../errors.ts'
import type { SqlDriver } from './driver.ts'
import { migrations } from './migrations/migrations.ts'

/** Marks a database file as ours (PRAGMA application_id): "svcR". */
const APPLICATION_ID = 0x73766352

/** The version of a store that this build writes. */
export const STORE_VERSION: number = migrations.length

/** What was found in a database before anything is written to it. `empty`: nothing, or our mark alone. */
export type Found = 'empty' | 'current' | 'older'

/**
 * Looks without writing. Throws `store_damaged`, `store_foreign` or `store_newer`, and what SQLite throws where it cannot
 * say. `deep` walks every page, which takes about a second for 500 MB.
 */
export function inspect(driver: SqlDriver, deep: boolean): Found {
  return sayingDamage(() => {
    const version = storeVersion(driver)
    const application = number(driver, 'PRAGMA application_id')
    const tables = number(driver, 'SELECT count(*) FROM sqlite_schema')
    const blank = version === 0 && tables === 0
    if (application !== APPLICATION_ID && !(blank && application === 0)) throw failStore('store_foreign')
    if (version > STORE_VERSION) throw failStore('store_newer')
    if (deep && driver.prepare('PRAGMA quick_check(1)').get()?.[0] !== 'ok') throw failStore('store_damaged')
    if (blank) return 'empty'
    return version === STORE_VERSION ? 'current' : 'older'
  })
}

/** The version of the store in a database; 0 where there is none. */
export function storeVersion(driver: SqlDriver): number {
  return number(driver, 'PRAGMA user_version')
}

/** Writes our mark into a database that is empty, before anything else is written to it. */
export function mark(driver: SqlDriver): void {
  driver.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
}

/** Brings a database from where it is to the present schema, in one transaction. */
export function migrate(driver: SqlDriver): void {
  driver.exec('BEGIN IMMEDIATE')
  try {
    for (const migration of migrations.slice(storeVersion(driver)))
      typeof migration === 'string' ? driver.exec(migration) : migration(driver)
    mark(driver)
    driver.exec(`PRAGMA user_version = ${STORE_VERSION}`)
    driver.exec('COMMIT')
  } catch (error) {
    try {
      driver.exec('ROLLBACK')
    } catch {
      // SQLite has rolled back by itself, as it does on a full disk; why is told by the first error.
    }
    throw error
  }
}

/** Runs work on a database; only what SQLite calls damage is `store_damaged`, everything else is thrown as it came. */
export function sayingDamage<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw isDamage(cause) ? failStore('store_damaged', { cause }) : cause
  }
}

/** Whether an error is SQLITE_CORRUPT or SQLITE_NOTADB, by the words that both drivers pass on. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && /malformed|not a database/.test(error.message)
}

function number(driver: SqlDriver, sql: string): number {
  return Number(driver.prepare(sql).get()?.[0])
}
