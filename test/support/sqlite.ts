/** What another program does to a store. */
import { DatabaseSync } from 'node:sqlite'

/** Runs statements on a database file, over a connection of their own. */
export function execOn(path: string, sql: string): void {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}
