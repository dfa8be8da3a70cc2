/** The narrow door to a SQLite: enough for one schema and one set of statements on every platform. */

/** A value of a column here: no blob and no big integer is stored. */
export type SqlValue = string | number | null

/** One row by column name. */
export type SqlRow = Readonly<Record<string, SqlValue>>

/** A prepared statement; parameters are positional. */
export interface SqlStatement {
  run(...parameters: readonly SqlValue[]): void
  get(...parameters: readonly SqlValue[]): SqlRow | undefined
  all(...parameters: readonly SqlValue[]): readonly SqlRow[]
}

/** One open database. Every call is synchronous; a throw leaves the state that SQLite left. */
export interface SqlDriver {
  exec(sql: string): void
  prepare(sql: string): SqlStatement
  close(): void
}
