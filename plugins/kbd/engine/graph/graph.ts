/**
 * The graph of a project's commands: parents, heads, and which commands an author had seen.
 *
 * Each command has a position, and stores the earlier positions that its author had not seen (ranges.ts). So the check
 * whether A is in the past of B is a look-up in a short list, independent of the length of the history.
 */
import type { Command, CommandEnvelope, Frontier } from '../../api.ts'
import { MAX_HEADS } from '../limits.ts'
import type { Sql } from '../sql.ts'
import { type Added, addNode, type NewNode } from './add.ts'
import { listHave } from './have.ts'
import { createPast, type Past } from './past.ts'
import { type Place, placeOf } from './place.ts'
import type { Ranges } from './ranges.ts'
import { createGraphStatements, type Node, type Parent, type ProjectRow } from './statements.ts'

/** The graph over the statements of a database. */
export interface Graph {
  project(project: string): ProjectRow | undefined
  projects(): readonly ProjectRow[]
  /** The lowest heads, at most 64; `headCount` is the number of all of them. */
  frontier(p: number): Frontier
  /** Undefined if the project has no command with the id. */
  node(p: number, id: string): Node | undefined
  /** The same, and whether the command is a head. */
  parent(p: number, id: string): Parent | undefined
  /** Throws if the project has no command at the position. */
  nodeAt(p: number, pos: number): Node
  command(p: number, pos: number): { readonly command: Command; readonly derived: unknown }
  /** Reads positions of a project, each once. Valid for one command: see past.ts. */
  past(p: number): Past
  /** The place of the next command of a device with these parents. */
  place(row: ProjectRow | undefined, parents: readonly Parent[], signer: string): Place
  /** Adds a command at its place; `derived` is a value that the fold found. */
  add(before: ProjectRow | undefined, node: NewNode, place: Place, derived: unknown): Added
  /**
   * Heads, then ancestors 1, 2, 4, 8 … steps back: at most 64 ids by which another node finds the commands that are
   * missing here.
   */
  have(p: number): readonly string[]
  /** Positions of commands that are neither these ids nor in their past. Unknown ids are ignored. */
  missing(row: ProjectRow, have: readonly string[]): Ranges
}

/** Makes the graph. */
export function createGraph(sql: Sql): Graph {
  const statements = createGraphStatements(sql)
  const { project, projects, node, parent, nodeAt } = statements
  return {
    project,
    projects,
    node,
    parent,
    nodeAt,
    frontier: (p) => ({ heads: statements.heads(p, MAX_HEADS) }),
    command(p, pos) {
      const [envelope, derived] = statements.texts(p, pos)
      const { command } = JSON.parse(envelope) as CommandEnvelope
      return { command, derived: derived === null ? undefined : (JSON.parse(derived) as unknown) }
    },
    past: (p) => createPast(statements, p),
    place: (row, parents, signer) => placeOf(statements, row, parents, signer),
    add: (before, added, place, derived) => addNode(statements, before, added, place, derived),
    have: (p) => listHave(statements, p),
    missing: ({ p, revision }, have) =>
      createPast(statements, p).joined(
        have.flatMap((id) => node(p, id)?.pos ?? []),
        revision + 1,
      ),
  }
}
