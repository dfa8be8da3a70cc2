/** The SQL of the store on a host's database, except that of the tables themselves. */
import type { SqlDriver } from '../../store/api.ts'
/** Returns its three parameters in one row. */
export const ECHO = 'SELECT ? AS a, ? AS b, ? AS c'

/** Names that do not begin with the prefix of the store, for its contract. */
export const NAMES_OF_APP = "SELECT name FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB 'svc_*'"

/** All names, for the contract. */
export const ALL_NAMES = 'SELECT name FROM sqlite_schema'

/** Writes a row of `svc_meta` in the place of the one with its key. */
export function writeMeta(raw: Pick<SqlDriver, 'prepare'>, key: string, value: string): void {
  raw.prepare('INSERT OR REPLACE INTO svc_meta VALUES (?, ?)').run(key, value)
}
