/** The narrow door to a SQLite: enough for one schema and one set of statements on every platform. */

/** A value of a column here: no blob and no big integer is stored. */
export type SqlValue = string | number | null

/** One row: the values in the order of the statement's columns. An object by name would cost twice the time. */
export type SqlRow = readonly SqlValue[]

/** A prepared statement; parameters are positional. */
export interface SqlStatement {
  run(...parameters: readonly SqlValue[]): void
  /** The first row. `Row` is what the caller knows of the columns. */
  get<Row extends SqlRow>(...parameters: readonly SqlValue[]): Row | undefined
  all<Row extends SqlRow>(...parameters: readonly SqlValue[]): readonly Row[]
}

/** One open database. Every call is synchronous; a throw leaves the state that SQLite left. */
export interface SqlDriver {
  exec(sql: string): void
  prepare(sql: string): SqlStatement
  close(): void
}
