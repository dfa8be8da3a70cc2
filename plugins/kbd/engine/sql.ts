/** The database as the engine of boards uses it, so that the engine depends on no driver. */

/** A value of a column. */
export type SqlValue = string | number | null

/** A prepared statement with positional parameters; a row is the values in the order of the columns. */
export interface SqlStatement {
  run(...parameters: readonly SqlValue[]): void
  get<Row extends readonly SqlValue[]>(...parameters: readonly SqlValue[]): Row | undefined
  all<Row extends readonly SqlValue[]>(...parameters: readonly SqlValue[]): readonly Row[]
}

/** One open database; the driver of the receipt store is one. */
export interface SqlDriver {
  exec(sql: string): void
  prepare(sql: string): SqlStatement
}

/** Returns the statement of a text, compiled when it is first used. */
export type Sql = (text: string) => SqlStatement

/** The statements of a database. */
export function createSql(driver: Pick<SqlDriver, 'prepare'>): Sql {
  const prepared = new Map<string, SqlStatement>()
  return (text) => {
    let statement = prepared.get(text)
    if (statement === undefined) prepared.set(text, (statement = driver.prepare(text)))
    return statement
  }
}

/** The row of a statement that always returns one. Throws if there is none, which happens only in a damaged store. */
export function requireRow<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('A statement returned no row.')
  return row
}
