/** What is shown of entities, as it is stored: one row for each, by the map that it is in. */
import type { Change } from '../../api.ts'
import type { Sql } from '../parts.ts'
import type { View } from './render.ts'

/** A claim that is stored: the claim that the row is of, and its JSON. */
export interface StoredClaim {
  readonly of: string
  readonly claimId: string
  readonly json: string
}

/** The rows of what is shown. `p` numbers the project. */
export interface Views {
  /** Writes a row; whether it is another than what was there. */
  put(p: number, view: View): boolean
  drop(p: number, map: Change['map'], id: string): void
  /** The conflicts of an entity by id, each with the start of its JSON, in which its register stands. */
  conflictsOf(p: number, entity: string): ReadonlyMap<string, string>
  claimsOf(p: number, cardId: string): readonly StoredClaim[]
}

/** Characters of a conflict that are read: its whole text may be long. */
const START = 512

/** Makes the rows of a database. */
export function createViews(sql: Sql): Views {
  return {
    put(p, { map, id, json, archived, a, b }) {
      const hidden = archived ? 1 : 0
      const was = sql('SELECT json, archived, a, b FROM kbd_views WHERE p = ? AND map = ? AND id = ?').get<
        [json: string, archived: number, a: string | null, b: string | null]
      >(p, map, id)
      if (was === undefined) sql('INSERT INTO kbd_views VALUES (?,?,?,?,?,?,?)').run(p, map, id, json, hidden, a, b)
      else if (was[0] === json && was[1] === hidden) return false
      // SQLite writes the entry of an index anew for a column that is named, also where its value stays.
      else if (was[2] === a && was[3] === b)
        sql('UPDATE kbd_views SET json = ?, archived = ? WHERE p = ? AND map = ? AND id = ?').run(
          json,
          hidden,
          p,
          map,
          id,
        )
      else
        sql('UPDATE kbd_views SET json = ?, archived = ?, a = ?, b = ? WHERE p = ? AND map = ? AND id = ?').run(
          json,
          hidden,
          a,
          b,
          p,
          map,
          id,
        )
      return true
    },
    drop: (p, map, id) => sql('DELETE FROM kbd_views WHERE p = ? AND map = ? AND id = ?').run(p, map, id),
    conflictsOf: (p, entity) =>
      new Map(
        sql(`SELECT id, substr(json, 1, ${START}) FROM kbd_views WHERE p = ? AND a = ? AND map = 'conflicts'`).all<
          [id: string, start: string]
        >(p, entity),
      ),
    claimsOf: (p, cardId) =>
      sql("SELECT id, a, json FROM kbd_views WHERE p = ? AND b = ? AND map = 'claims'")
        .all<[of: string, claimId: string, json: string]>(p, cardId)
        .map(([of, claimId, json]) => ({ of, claimId, json })),
  }
}

/** A claim as a project shows it. Two claims may bear one id: the one in force, then the lowest acquire, is shown. */
export function claimJson(sql: Sql, p: number, claimId: string): string | null {
  const rows = sql("SELECT json FROM kbd_views WHERE p = ? AND a = ? AND map = 'claims' ORDER BY id").all<
    [json: string]
  >(p, claimId)
  return (rows.find(([json]) => json.endsWith('"held"}')) ?? rows[0])?.[0] ?? null
}
