/** The statements of the reads, with their parameters and their rows. */
import { CREATED } from '../fold/registers.ts'
import type { Sql } from '../sql.ts'

/** A stored view. The meaning of `a` and `b` depends on the map: see `View` in ../fold/statements.ts. */
export type ViewRow = [id: string, json: string, archived: number, a: string | null, b: string | null]

/** A command, with its envelope as JSON. */
export type CommandRow = [id: string, envelope: string]

/** The statements of the reads. `p` is the number of a project. Rows are sorted by id, commands by position. */
export interface ReadStatements {
  view(p: number, map: string, id: string): string | undefined
  views(p: number, map: string): readonly ViewRow[]
  /** At most `limit` rows after an id. */
  viewPage(p: number, map: string, after: string, limit: number): readonly ViewRow[]
  viewIds(p: number, map: string): readonly string[]
  /** The JSON of the things of an owner that are not archived; `column` is the column that has the id of the owner. */
  belonging(p: number, column: 'a' | 'b', owner: string, map: string): readonly string[]
  /** The entities with a prefix, such as `board/`, each with the position of a command that created it. */
  createdLike(p: number, prefix: string): readonly (readonly [entity: string, pos: number])[]
  /** The positions of the commands that created an entity. */
  creations(p: number, entity: string): readonly number[]
  command(p: number, id: string): CommandRow | undefined
  /** With each command whether its time was ahead of the clock here when it was taken. */
  commandsAfter(p: number, pos: number, limit: number): readonly [...CommandRow, isAhead: number][]
  commandsBetween(p: number, from: number, to: number): readonly [...CommandRow, pos: number][]
  /** The first command of a device with a commandId. */
  idOfCommandId(p: number, signer: string, commandId: string): string | undefined
  /** Positions of the commands whose envelope contains a hash. */
  positionsNaming(p: number, hash: string): readonly number[]
}

/** Makes the statements of a database. */
export function createReadStatements(sql: Sql): ReadStatements {
  const first = <T>(rows: readonly (readonly [T])[]): readonly T[] => rows.map(([value]) => value)
  return {
    view: (p, map, id) =>
      sql('SELECT json FROM kbd_views WHERE p = ? AND map = ? AND id = ?').get<[json: string]>(p, map, id)?.[0],
    views: (p, map) =>
      sql('SELECT id, json, archived, a, b FROM kbd_views WHERE p = ? AND map = ? ORDER BY id').all<ViewRow>(p, map),
    viewPage: (p, map, after, limit) =>
      sql(
        'SELECT id, json, archived, a, b FROM kbd_views WHERE p = ? AND map = ? AND id > ? ORDER BY id LIMIT 0 + ?',
      ).all<ViewRow>(p, map, after, limit),
    viewIds: (p, map) =>
      first(sql('SELECT id FROM kbd_views WHERE p = ? AND map = ? ORDER BY id').all<[id: string]>(p, map)),
    belonging: (p, column, owner, map) =>
      first(
        sql(`SELECT json FROM kbd_views WHERE p = ? AND ${column} = ? AND map = ? AND archived = 0 ORDER BY id`).all<
          [json: string]
        >(p, owner, map),
      ),
    createdLike: (p, prefix) =>
      sql(`SELECT entity, pos FROM kbd_entries WHERE p = ? AND entity BETWEEN ? AND ? AND name = '${CREATED}'`).all<
        [entity: string, pos: number]
      >(p, prefix, `${prefix}~`),
    creations: (p, entity) =>
      first(
        sql(`SELECT pos FROM kbd_entries WHERE p = ? AND entity = ? AND name = '${CREATED}'`).all<[pos: number]>(
          p,
          entity,
        ),
      ),
    command: (p, id) => sql('SELECT id, envelope FROM kbd_commands WHERE id = ? AND p = ?').get<CommandRow>(id, p),
    commandsAfter: (p, pos, limit) =>
      sql(`SELECT id, envelope, EXISTS (SELECT 1 FROM kbd_ahead a WHERE a.id = c.id) FROM kbd_commands c
           WHERE p = ? AND pos > ? ORDER BY pos LIMIT 0 + ?`).all<[...CommandRow, isAhead: number]>(p, pos, limit),
    commandsBetween: (p, from, to) =>
      sql('SELECT id, envelope, pos FROM kbd_commands WHERE p = ? AND pos BETWEEN ? AND ? ORDER BY pos').all<
        [...CommandRow, pos: number]
      >(p, from, to),
    idOfCommandId: (p, signer, commandId) =>
      sql('SELECT id FROM kbd_commands WHERE command_id = ? AND +p = ? AND signer = ? ORDER BY +pos LIMIT 1').get<
        [id: string]
      >(commandId, p, signer)?.[0],
    positionsNaming: (p, hash) =>
      first(sql('SELECT pos FROM kbd_commands WHERE p = ? AND instr(envelope, ?) > 0').all<[pos: number]>(p, hash)),
  }
}
