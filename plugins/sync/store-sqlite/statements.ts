/** The SQL of the store on a file. */
import type { SqlDriver, TableRows } from '../../store/api.ts'
/** Writes a row that shows that rows can be written. */
export function writeProbe({ rows }: TableRows, atMs: number): void {
  rows("INSERT OR REPLACE INTO meta VALUES ('writable_at', ?)", `${atMs}`)
}

/**
 * A new id for a store. SQLite makes it, because a start does not load `node:crypto`, which takes some milliseconds.
 */
export function newMark(driver: Pick<SqlDriver, 'prepare'>): string {
  return String(driver.prepare('SELECT lower(hex(randomblob(16)))').get<[id: string]>()![0])
}

/** The id of the store's mark; undefined if the store has none yet. */
export function readMark(driver: Pick<SqlDriver, 'prepare'>): string | undefined {
  return driver.prepare("SELECT value FROM meta WHERE key = 'mark'").get<[id: string]>()?.[0]
}

/** Writes the id of the store's mark. */
export function writeMarkRow(driver: Pick<SqlDriver, 'prepare'>, id: string): void {
  driver.prepare("INSERT OR REPLACE INTO meta VALUES ('mark', ?)").run(id)
}

/** Moves the log into the file and empties it. Returns false if another process still reads or writes it. */
export function emptyLog(driver: Pick<SqlDriver, 'prepare'>): boolean {
  return driver.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get<[busy: number]>()?.[0] === 0
}
