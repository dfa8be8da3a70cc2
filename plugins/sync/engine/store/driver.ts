/** The part of a SQLite interface that the store uses. Every platform implements it. */

/** A value of a column. The store has no blobs and no integers beyond 2^53. */
export type SqlValue = string | number | null

/** One row: the values in the order of the statement's columns. Objects with names would take twice the time. */
export type SqlRow = readonly SqlValue[]

/** A prepared statement; parameters are positional. */
export interface SqlStatement {
  run(...parameters: readonly SqlValue[]): void
  /** The first row. `Row` is the type that the caller expects of the columns. */
  get<Row extends SqlRow>(...parameters: readonly SqlValue[]): Row | undefined
  all<Row extends SqlRow>(...parameters: readonly SqlValue[]): readonly Row[]
}

/** One open database. Every call is synchronous. */
export interface SqlDriver {
  exec(sql: string): void
  prepare(sql: string): SqlStatement
  close(): void
}
