/** The SQL of deriving claims and comments again. `p` is the number of a project. */
import type { Sql } from '../../sql.ts'
import { CREATED } from '../registers.ts'

/** The projects that a migration has marked. */
export function readStale(sql: Sql): readonly number[] {
  return sql('SELECT p FROM kbd_stale')
    .all<[p: number]>()
    .map(([p]) => p)
}

/** Removes all marks. */
export function clearStale(sql: Sql): void {
  sql('DELETE FROM kbd_stale').run()
}

/** Commands after a position that may be about claims, by position, with their envelopes as JSON texts. */
export function readClaimCommands(
  sql: Sql,
  p: number,
  after: number,
  limit: number,
): readonly (readonly [pos: number, id: string, envelope: string])[] {
  return sql(`SELECT pos, id, envelope FROM kbd_commands
    WHERE p = ? AND pos > ? AND instr(envelope, '"type":"claim.') > 0 ORDER BY pos LIMIT 0 + ?`).all<
    [pos: number, id: string, envelope: string]
  >(p, after, limit)
}

/** The cards that show a claim, and the comments that were created more than once. */
export function readToShow(sql: Sql, p: number): readonly string[] {
  return sql(`SELECT 'card/' || id FROM kbd_views WHERE p = ?1 AND map = 'cards' AND json NOT LIKE '%"claim":null}'
    UNION ALL SELECT entity FROM kbd_entries WHERE p = ?1 AND entity BETWEEN 'comment/' AND 'comment/~'
    AND name = '${CREATED}' GROUP BY entity HAVING count(*) > 1`)
    .all<[entity: string]>(p)
    .map(([entity]) => entity)
}
