/**
 * The graph of a project's commands: parents, heads, and which commands an author had seen.
 *
 * Each command has a position, and stores the earlier positions that its author had not seen (ranges.ts). So the check
 * whether A is in the past of B is a look-up in a short list, independent of the length of the history.
 */
import type { Command, CommandEnvelope, Frontier } from '../../api.ts'
import { MAX_HEADS } from '../limits.ts'
import { requireRow, type Sql } from '../sql.ts'
import { type Added, addNode, type NewNode } from './add.ts'
import { createPast, type Past } from './past.ts'
import { type Place, placeOf } from './place.ts'
import type { Ranges } from './ranges.ts'
import { createGraphStatements, type GraphStatements, type Node, type Parent, type ProjectRow } from './statements.ts'

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

/** Most steps back along parents. Ancestors that are further back are found by their positions. */
const MAX_STEPS = 512

/** Ids of heads, of ancestors 1, 2, 4, 8 … steps back, and of the first command: at most 64. */
function listHave(statements: GraphStatements, p: number): readonly string[] {
  const idAt = (pos: number): string => statements.nodeAt(p, pos).id
  const revision = statements.revision(p)
  const heads = statements.heads(p, MAX_HEADS / 2)
  const far = new Set<string>()
  let level = heads.map((id) => requireRow(statements.node(p, id)).pos)
  let lowest = revision
  for (let step = 1, next = 1; step <= MAX_STEPS && level.length > 0; step++) {
    level = [...new Set(level.flatMap((pos) => statements.parentsOf(p, pos)))].sort((a, b) => b - a).slice(0, 4)
    for (const pos of level) lowest = Math.min(lowest, pos)
    if (step !== next) continue
    next *= 2
    for (const pos of level.slice(0, 2)) far.add(idAt(pos))
  }
  for (let back = MAX_STEPS; lowest > 1 && back < revision; back *= 2) far.add(idAt(Math.max(1, lowest - back)))
  // Every node that has the project knows its first command.
  const first = idAt(1)
  far.add(first)
  return [...new Set([...[...heads, ...far].slice(0, MAX_HEADS - 1), first])]
}
