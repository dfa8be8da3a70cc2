/**
 * The SQL of the check of boards and of the names of projects, with its parameters and rows. `p` is the number of a
 * project.
 */

import type { SqlValue, StoreDriver, TableRows } from '../../store/api.ts'
import { requireRow, type Sql } from './sql.ts'

/** A table: the columns of its key, by which rows are sorted, and the other columns. */
export interface Table {
  readonly name: string
  readonly key: readonly string[]
  readonly others: string
}

/** Which rows of `kbd_views` are boards. */
export const IS_BOARD = "map = 'boards'"

/** Whether a project has commands. */
export function hasCommands(driver: Pick<StoreDriver, 'prepare'>, project: string): boolean {
  return driver.prepare('SELECT 1 FROM kbd_projects WHERE project = ?').get(project) !== undefined
}

/** The names of all projects with commands, in order. */
export function readProjectNames({ rows }: TableRows): readonly string[] {
  return rows<[project: string]>('SELECT project FROM kbd_projects ORDER BY project').map(([name]) => name)
}

/** The statements that made the tables of boards and their indexes. */
export function readSchema(sql: Sql): readonly string[] {
  return sql("SELECT sql FROM sqlite_schema WHERE tbl_name LIKE 'kbd~_%' ESCAPE '~' AND sql IS NOT NULL")
    .all<[text: string]>()
    .map(([text]) => text)
}

/** Marks a command as signed by a clock that was ahead of the clock here when the command was taken. */
export function markAhead(sql: Sql, id: string): void {
  sql('INSERT OR IGNORE INTO kbd_ahead VALUES (?)').run(id)
}

/** The number of commands of all projects. */
export function countCommands(sql: Sql): number {
  return requireRow(sql('SELECT count(*) FROM kbd_commands').get<[count: number]>())[0]
}

/** All projects with commands, by number. */
export function readProjects(sql: Sql): readonly (readonly [p: number, project: string])[] {
  return sql('SELECT p, project FROM kbd_projects ORDER BY p').all<[p: number, project: string]>()
}

/** Commands of a project after a position, with their envelopes as JSON texts. */
export function readEnvelopes(
  sql: Sql,
  p: number,
  after: number,
  limit: number,
): readonly (readonly [pos: number, envelope: string])[] {
  return sql('SELECT pos, envelope FROM kbd_commands WHERE p = ? AND pos > ? ORDER BY pos LIMIT 0 + ?').all<
    [pos: number, envelope: string]
  >(p, after, limit)
}

/** The name of a project; null if there is none with the number. */
export function readName(sql: Sql, p: SqlValue): string | null {
  return sql('SELECT project FROM kbd_projects WHERE p = ?').get<[project: string]>(p)?.[0] ?? null
}

/** Rows of a table after a key, by key; from the first if the key is empty. */
export function readRows(
  sql: Sql,
  { name, key, others }: Table,
  after: readonly SqlValue[],
  limit: number,
): readonly (readonly SqlValue[])[] {
  const columns = key.join(', ')
  const where = after.length === 0 ? '' : `WHERE (${columns}) > (${after.map(() => '?').join()})`
  return sql(`SELECT ${columns}, ${others} FROM ${name} ${where} ORDER BY ${columns} LIMIT 0 + ?`).all<
    readonly SqlValue[]
  >(...after, limit)
}
