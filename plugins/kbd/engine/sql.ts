/** The statements of the engine of boards over the database of the store. */
import type { SqlStatement, StoreDriver } from '../../store/api.ts'
/** Returns the statement of a text, compiled when it is first used. */
export type Sql = (text: string) => SqlStatement

/** The statements of a database. */
export function createSql(driver: Pick<StoreDriver, 'prepare'>): Sql {
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
