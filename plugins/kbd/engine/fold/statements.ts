/**
 * The SQL of registers and of the rows that show them, with its parameters and rows. `p` is the number of a project.
 */
import type { Change } from '../../api.ts'
import type { Sql } from '../sql.ts'

/**
 * The row that shows an entity, a claim or a conflict. `a` and `b` say what it belongs to: column: its board. Card: its
 * board, its column. Comment: its card. Link: its two ends. Claim: its claim id, its card. Conflict: its entity.
 */
export interface View {
  readonly map: Change['map']
  readonly id: string
  readonly json: string
  readonly archived: boolean
  readonly a: string | null
  readonly b: string | null
}

/** The live value of a register. */
export type EntryRow = readonly [name: string, pos: number, value: string]

/** A stored claim: the id of its acquire or force, its claim id, and its JSON. */
export type ClaimViewRow = readonly [of: string, claimId: string, json: string]

/** The columns of a view that a write compares. */
export type ViewColumns = readonly [json: string, archived: number, a: string | null, b: string | null]

/** The statements of the fold. */
export interface FoldStatements {
  /** The entries of an entity, by name and position. */
  entries(p: number, entity: string): readonly EntryRow[]
  insertEntry(p: number, entity: string, name: string, pos: number, value: string): void
  deleteEntry(p: number, entity: string, name: string, pos: number): void
  view(p: number, map: Change['map'], id: string): ViewColumns | undefined
  insertView(p: number, view: View): void
  /** Writes a view whose `a` and `b` have not changed. */
  updateJson(p: number, view: View): void
  updateView(p: number, view: View): void
  deleteView(p: number, map: Change['map'], id: string): void
  /** The conflicts of an entity, each with the first characters of its JSON. */
  conflictStarts(p: number, entity: string, chars: number): readonly (readonly [id: string, start: string])[]
  claimsOf(p: number, cardId: string): readonly ClaimViewRow[]
  /** The JSON of the claims with a claim id, by the id of the acquire or force. */
  claimsWithId(p: number, claimId: string): readonly string[]
}

/** Makes the statements of a database. */
export function createFoldStatements(sql: Sql): FoldStatements {
  return {
    entries: (p, entity) =>
      sql('SELECT name, pos, value FROM kbd_entries WHERE p = ? AND entity = ? ORDER BY name, pos').all<[...EntryRow]>(
        p,
        entity,
      ),
    insertEntry: (p, entity, name, pos, value) =>
      sql('INSERT INTO kbd_entries VALUES (?, ?, ?, ?, ?)').run(p, entity, name, pos, value),
    deleteEntry: (p, entity, name, pos) =>
      sql('DELETE FROM kbd_entries WHERE p = ? AND entity = ? AND name = ? AND pos = ?').run(p, entity, name, pos),
    view: (p, map, id) =>
      sql('SELECT json, archived, a, b FROM kbd_views WHERE p = ? AND map = ? AND id = ?').get<[...ViewColumns]>(
        p,
        map,
        id,
      ),
    insertView: (p, { map, id, json, archived, a, b }) =>
      sql('INSERT INTO kbd_views VALUES (?,?,?,?,?,?,?)').run(p, map, id, json, archived ? 1 : 0, a, b),
    updateJson: (p, { map, id, json, archived }) =>
      sql('UPDATE kbd_views SET json = ?, archived = ? WHERE p = ? AND map = ? AND id = ?').run(
        json,
        archived ? 1 : 0,
        p,
        map,
        id,
      ),
    updateView: (p, { map, id, json, archived, a, b }) =>
      sql('UPDATE kbd_views SET json = ?, archived = ?, a = ?, b = ? WHERE p = ? AND map = ? AND id = ?').run(
        json,
        archived ? 1 : 0,
        a,
        b,
        p,
        map,
        id,
      ),
    deleteView: (p, map, id) => sql('DELETE FROM kbd_views WHERE p = ? AND map = ? AND id = ?').run(p, map, id),
    conflictStarts: (p, entity, chars) =>
      sql("SELECT id, substr(json, 1, ?3) FROM kbd_views WHERE p = ?1 AND a = ?2 AND map = 'conflicts'").all<
        [id: string, start: string]
      >(p, entity, chars),
    claimsOf: (p, cardId) =>
      sql("SELECT id, a, json FROM kbd_views WHERE p = ? AND b = ? AND map = 'claims'").all<[...ClaimViewRow]>(
        p,
        cardId,
      ),
    claimsWithId: (p, claimId) =>
      sql("SELECT json FROM kbd_views WHERE p = ? AND a = ? AND map = 'claims' ORDER BY id")
        .all<[json: string]>(p, claimId)
        .map(([json]) => json),
  }
}
