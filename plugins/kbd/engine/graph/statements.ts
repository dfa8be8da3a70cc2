/** The SQL of the graph, with its parameters and rows. `p` is the number of a project, `pos` a position in it. */
import { requireRow, type Sql } from '../sql.ts'

/** A command in the graph. */
export interface Node {
  readonly pos: number
  readonly id: string
  readonly signer: string
  readonly issuedAtMs: number
}

/** A command that a new command names as its parent. */
export interface Parent extends Node {
  readonly isHead: boolean
}

/** A project that has commands. */
export interface ProjectRow {
  /** The number of the project on this node. */
  readonly p: number
  readonly project: string
  readonly root: string
  readonly revision: number
  readonly headCount: number
}

/** The end of a branch: a head of the project, or the last command of a device on a branch. */
export interface Tip {
  readonly id: string
  readonly pos: number
}

/** A command with what its author had not seen. */
export type PastRow = readonly [
  pos: number,
  id: string,
  signer: string,
  issuedAtMs: number,
  /** Positions as ranges.ts writes them; null if they follow from the parents. */
  unseen: string | null,
  /** Positions, separated by commas. */
  parents: string,
]

/** The columns of a command in the order of the table, after `p` and `pos`. */
export type CommandColumns = readonly [
  id: string,
  commandId: string,
  signer: string,
  issuedAtMs: number,
  parents: string,
  unseen: string | null,
  hops: number,
  derived: string | null,
  envelope: string,
]

/** The owner of the tips that are heads of the project. Other tips have the key id of a device as their owner. */
export const HEADS = ''

/** The statements of the graph. If the type has no `undefined`, a missing row throws. */
export interface GraphStatements {
  project(project: string): ProjectRow | undefined
  projects(): readonly ProjectRow[]
  /** A number that no project has. */
  nextNumber(): number
  insertProject(p: number, project: string, root: string): void
  updateProject(p: number, revision: number, headCount: number): void
  revision(p: number): number
  node(p: number, id: string): Node | undefined
  nodeAt(p: number, pos: number): Node
  parent(p: number, id: string): Parent | undefined
  /** The positions of the parents of a command. */
  parentsOf(p: number, pos: number): readonly number[]
  hops(p: number, pos: number): number
  /** The envelope and the derived value as JSON texts. */
  texts(p: number, pos: number): readonly [envelope: string, derived: string | null]
  past(p: number, pos: number): PastRow | undefined
  /** The commands at positions. */
  pastAt(p: number, positions: readonly number[]): readonly PastRow[]
  /** The commands of all entries of an entity. */
  pastOfEntity(p: number, entity: string): readonly PastRow[]
  insertCommand(p: number, pos: number, columns: CommandColumns): void
  /** The ids of the lowest heads. */
  heads(p: number, limit: number): readonly string[]
  tips(p: number, owner: string): readonly Tip[]
  insertTip(p: number, owner: string, tip: Tip): void
  moveTip(p: number, owner: string, fromId: string, to: Tip): void
  deleteTip(p: number, owner: string, id: string): void
}

type NodeRow = readonly [pos: number, id: string, signer: string, issuedAtMs: number]
type ProjectColumns = [p: number, project: string, root: string, revision: number, headCount: number]

// The texts are constants, because a new string at each call must be hashed to find its prepared statement.
const PROJECTS = 'SELECT p, project, root, revision, head_count FROM kbd_projects'
const PROJECT = `${PROJECTS} WHERE project = ?`
const PROJECTS_BY_NAME = `${PROJECTS} ORDER BY project`
const NODE = 'pos, id, signer, issued_at_ms'
const NODE_AT = `SELECT ${NODE} FROM kbd_commands WHERE p = ? AND pos = ?`
const NODE_BY_ID = `SELECT ${NODE} FROM kbd_commands WHERE id = ? AND p = ?`
const PARENT = `SELECT ${NODE}, EXISTS (SELECT 1 FROM kbd_tips t WHERE t.p = c.p AND t.owner = '${HEADS}' AND t.id = c.id)
  FROM kbd_commands c WHERE id = ? AND p = ?`
const PAST = `SELECT ${NODE}, unseen, parents FROM kbd_commands`
const PAST_AT = `${PAST} WHERE p = ? AND pos = ?`
const PAST_AT_ALL = `${PAST} WHERE p = ? AND pos IN (SELECT value FROM json_each(?))`
const PAST_OF_ENTITY = `${PAST} WHERE p = ? AND pos IN
  (SELECT pos FROM kbd_entries WHERE p = ? AND entity = ?)`
const LOWEST_HEADS = `SELECT id FROM kbd_tips WHERE p = ? AND owner = '${HEADS}' ORDER BY id LIMIT 0 + ?`

/** Makes the statements of a database. */
export function createGraphStatements(sql: Sql): GraphStatements {
  return { ...projectStatements(sql), ...commandStatements(sql), ...tipStatements(sql) }
}

function projectStatements(sql: Sql) {
  return {
    project(project) {
      const row = sql(PROJECT).get<ProjectColumns>(project)
      return row === undefined ? undefined : toProject(row)
    },
    projects: () => sql(PROJECTS_BY_NAME).all<ProjectColumns>().map(toProject),
    nextNumber: () => requireRow(sql('SELECT coalesce(max(p), 0) + 1 FROM kbd_projects').get<[next: number]>())[0],
    insertProject: (p, project, root) => sql('INSERT INTO kbd_projects VALUES (?, ?, ?, 1, 1)').run(p, project, root),
    updateProject: (p, revision, headCount) =>
      sql('UPDATE kbd_projects SET revision = ?, head_count = ? WHERE p = ?').run(revision, headCount, p),
    revision: (p) => requireRow(sql('SELECT revision FROM kbd_projects WHERE p = ?').get<[revision: number]>(p))[0],
  } satisfies Partial<GraphStatements>
}

function commandStatements(sql: Sql) {
  return {
    node(p, id) {
      const row = sql(NODE_BY_ID).get<[...NodeRow]>(id, p)
      return row === undefined ? undefined : toNode(row)
    },
    nodeAt: (p, pos) => toNode(requireRow(sql(NODE_AT).get<[...NodeRow]>(p, pos))),
    parent(p, id) {
      const row = sql(PARENT).get<[...NodeRow, isHead: number]>(id, p)
      return row === undefined ? undefined : { ...toNode(row), isHead: row[4] === 1 }
    },
    parentsOf: (p, pos) =>
      positionsOf(
        requireRow(sql('SELECT parents FROM kbd_commands WHERE p = ? AND pos = ?').get<[parents: string]>(p, pos))[0],
      ),
    hops: (p, pos) =>
      requireRow(sql('SELECT hops FROM kbd_commands WHERE p = ? AND pos = ?').get<[hops: number]>(p, pos))[0],
    texts: (p, pos) =>
      requireRow(
        sql('SELECT envelope, derived FROM kbd_commands WHERE p = ? AND pos = ?').get<
          [envelope: string, derived: string | null]
        >(p, pos),
      ),
    past: (p, pos) => sql(PAST_AT).get<[...PastRow]>(p, pos),
    pastAt: (p, positions) => sql(PAST_AT_ALL).all<[...PastRow]>(p, JSON.stringify(positions)),
    pastOfEntity: (p, entity) => sql(PAST_OF_ENTITY).all<[...PastRow]>(p, p, entity),
    insertCommand: (p, pos, columns) =>
      sql('INSERT INTO kbd_commands VALUES (?,?,?,?,?,?,?,?,?,?,?)').run(p, pos, ...columns),
  } satisfies Partial<GraphStatements>
}

function tipStatements(sql: Sql) {
  return {
    heads: (p, limit) =>
      sql(LOWEST_HEADS)
        .all<[id: string]>(p, limit)
        .map(([id]) => id),
    tips: (p, owner) =>
      sql('SELECT id, pos FROM kbd_tips WHERE p = ? AND owner = ?')
        .all<[id: string, pos: number]>(p, owner)
        .map(([id, pos]) => ({ id, pos })),
    insertTip: (p, owner, { id, pos }) => sql('INSERT INTO kbd_tips VALUES (?, ?, ?, ?)').run(p, owner, id, pos),
    moveTip: (p, owner, fromId, { id, pos }) =>
      sql('UPDATE kbd_tips SET id = ?, pos = ? WHERE p = ? AND owner = ? AND id = ?').run(id, pos, p, owner, fromId),
    deleteTip: (p, owner, id) => sql('DELETE FROM kbd_tips WHERE p = ? AND owner = ? AND id = ?').run(p, owner, id),
  } satisfies Partial<GraphStatements>
}

/** The positions in the column `parents`. */
export function positionsOf(text: string): readonly number[] {
  return text === '' ? [] : text.split(',').map(Number)
}

function toNode([pos, id, signer, issuedAtMs]: readonly [...NodeRow, ...unknown[]]): Node {
  return { pos, id, signer, issuedAtMs }
}

function toProject([p, project, root, revision, headCount]: ProjectColumns): ProjectRow {
  return { p, project, root, revision, headCount }
}
