/** The SQL of the checks at entry, with its parameters and rows. `p` is the number of a project. */
import type { Sql } from '../sql.ts'

/** The JSON of an open conflict; undefined if there is none with the id. */
export function readConflict(sql: Sql, p: number, conflictId: string): string | undefined {
  return sql("SELECT json FROM kbd_views WHERE p = ? AND map = 'conflicts' AND id = ?").get<[json: string]>(
    p,
    conflictId,
  )?.[0]
}
