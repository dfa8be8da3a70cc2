/**
 * The graph of a project's commands: parents, heads, and who had seen whom.
 *
 * Each command has a position, and remembers which earlier positions its author had not seen (ranges.ts). So «A is in the
 * past of B» is a look into a short list, however long the history, and nothing is walked.
 */
import type { Command, CommandEnvelope, Frontier } from '../../api.ts'
import { MAX_HEADS, type Sql } from '../parts.ts'
import { createPast, type Node, type Past, positionsOf } from './past.ts'
import { contains, type Ranges, sizeOf, toText } from './ranges.ts'

/** A project that has commands. */
export interface ProjectRow {
  /** This node's number of it. */
  readonly p: number
  readonly project: string
  readonly root: string
  readonly revision: number
  readonly headCount: number
}

/** A command that a new one names as its parent. */
export interface Parent extends Node {
  readonly isHead: boolean
}

/** Where in the graph a new command comes to stand: found out once, judged by and written with. */
export interface Place {
  readonly parents: readonly Parent[]
  /** Positions that its author had not seen. */
  readonly unseen: Ranges
  /** Commands of its device that no later one of that device has seen. */
  readonly tips: readonly Tip[]
}

/** An end of a branch. */
interface Tip {
  readonly id: string
  readonly pos: number
}

/** A command to be put into the graph. */
export interface NewNode {
  readonly id: string
  readonly project: string
  readonly envelope: CommandEnvelope
  /** The envelope as it is kept. */
  readonly text: string
}

/** Rows read at most to find out what a command had not seen. */
const MAX_HOPS = 16
/** A list of what was not seen that is kept whatever its hops. */
const SHORT_TEXT = 256
/** Steps back that `have` walks one by one; further back it goes by positions. */
const MAX_STEPS = 512

const NODE = 'pos, id, signer, issued_at_ms'
/** Made once: a text that is put together anew at each call has to be hashed anew to find its statement. */
const NODE_AT = `SELECT ${NODE} FROM kbd_commands WHERE p = ? AND pos = ?`
const NODE_BY_ID = `SELECT ${NODE} FROM kbd_commands WHERE id = ? AND p = ?`
const PARENT = `SELECT ${NODE}, EXISTS (SELECT 1 FROM kbd_tips t WHERE t.p = c.p AND t.owner = '' AND t.id = c.id)
  FROM kbd_commands c WHERE id = ? AND p = ?`
type NodeRow = [pos: number, id: string, signer: string, issuedAtMs: number]
type ProjectColumns = [p: number, project: string, root: string, revision: number, headCount: number]

/** The graph over the statements of a database. */
export interface Graph {
  project(project: string): ProjectRow | undefined
  projects(): readonly ProjectRow[]
  /** The lowest heads, at most 64; all of them is `headCount`. */
  frontier(p: number): Frontier
  /** Undefined where the id is not known in this project. */
  node(p: number, id: string): Node | undefined
  /** The same, with whether anything follows it yet. */
  parent(p: number, id: string): Parent | undefined
  nodeAt(p: number, pos: number): Node
  command(p: number, pos: number): { readonly command: Command; readonly derived: unknown }
  /** Reads positions of a project, each once. Good for one command: see past.ts. */
  past(p: number): Past
  /** Where a command of a device with these parents stands if it comes next. */
  place(row: ProjectRow | undefined, parents: readonly Parent[], signer: string): Place
  /** Adds a command where it stands; `derived` is what the fold found out. */
  add(
    before: ProjectRow | undefined,
    node: NewNode,
    place: Place,
    derived: unknown,
  ): { readonly row: ProjectRow; readonly forked: boolean }
  /** Heads, then ancestors 1, 2, 4, 8 … steps back: at most 64 ids by which another node sees what is missing here. */
  have(p: number): readonly string[]
  /** Positions of what is not in the past of the ids, they included; unknown ids say nothing. */
  missing(row: ProjectRow, have: readonly string[]): Ranges
}

/** Makes the graph. */
export function createGraph(sql: Sql): Graph {
  const parentsOf = (p: number, pos: number): readonly number[] =>
    positionsOf(sql('SELECT parents FROM kbd_commands WHERE p = ? AND pos = ?').get<[parents: string]>(p, pos)![0])
  const idAt = (p: number, pos: number): string => nodeAt(p, pos).id
  const nodeAt = (p: number, pos: number): Node => toNode(sql(NODE_AT).get<NodeRow>(p, pos)!)

  const graph: Graph = {
    project: (project) =>
      toProject(
        sql('SELECT p, project, root, revision, head_count FROM kbd_projects WHERE project = ?').get<ProjectColumns>(
          project,
        ),
      ),
    projects: () =>
      sql('SELECT p, project, root, revision, head_count FROM kbd_projects ORDER BY project')
        .all<ProjectColumns>()
        .map((row) => toProject(row)!),
    frontier: (p) => ({
      heads: sql("SELECT id FROM kbd_tips WHERE p = ? AND owner = '' ORDER BY id LIMIT 0 + ?")
        .all<[id: string]>(p, MAX_HEADS)
        .map(([id]) => id),
    }),
    node(p, id) {
      const row = sql(NODE_BY_ID).get<NodeRow>(id, p)
      return row === undefined ? undefined : toNode(row)
    },
    parent(p, id) {
      const row = sql(PARENT).get<[...NodeRow, isHead: number]>(id, p)
      return row === undefined ? undefined : { ...toNode(row), isHead: row[4] === 1 }
    },
    nodeAt,
    command(p, pos) {
      const [envelope, derived] = sql('SELECT envelope, derived FROM kbd_commands WHERE p = ? AND pos = ?').get<
        [envelope: string, derived: string | null]
      >(p, pos)!
      const { command } = JSON.parse(envelope) as CommandEnvelope
      return { command, derived: derived === null ? undefined : (JSON.parse(derived) as unknown) }
    },
    past: (p) => createPast(sql, p),
    place(row, parents, signer) {
      if (row === undefined) return { parents, unseen: [], tips: [] }
      const { p, revision, headCount } = row
      // On the heads, which is the ordinary case, everything was seen.
      const isOnHeads = parents.length === headCount && parents.every(({ isHead }) => isHead)
      const positions = parents.map(({ pos }) => pos)
      const tips = sql('SELECT id, pos FROM kbd_tips WHERE p = ? AND owner = ?').all<[id: string, pos: number]>(
        p,
        signer,
      )
      return {
        parents,
        unseen: isOnHeads ? [] : createPast(sql, p).joined(positions, revision + 1),
        tips: tips.map(([id, pos]) => ({ id, pos })),
      }
    },
    add(before, { id, project, envelope, text }, { parents, unseen: unseenHere, tips }, derived) {
      const p = before?.p ?? sql('SELECT coalesce(max(p), 0) + 1 FROM kbd_projects').get<[next: number]>()![0]
      const pos = (before?.revision ?? 0) + 1
      const list = toText(unseenHere)
      const hops = list.length <= SHORT_TEXT ? 0 : hopsOver(p, parents)
      const kept = hops === 0 || hops > MAX_HOPS
      sql('INSERT INTO kbd_commands VALUES (?,?,?,?,?,?,?,?,?,?,?)').run(
        p,
        pos,
        id,
        envelope.commandId.toLowerCase(),
        envelope.signerKeyId,
        envelope.issuedAtMs,
        parents.map((parent) => parent.pos).join(),
        kept ? list : null,
        kept ? 0 : hops,
        derived === undefined ? null : JSON.stringify(derived),
        text,
      )
      const ended = parents.filter(({ isHead }) => isHead)
      const followed = tips.filter((tip) => !contains(unseenHere, tip.pos))
      moveTips(p, '', ended, { id, pos })
      moveTips(p, envelope.signerKeyId, followed, { id, pos })
      const forked = followed.length < tips.length
      const headCount = (before?.headCount ?? 0) + 1 - ended.length
      if (before === undefined) sql('INSERT INTO kbd_projects VALUES (?, ?, ?, 1, 1)').run(p, project, id)
      else sql('UPDATE kbd_projects SET revision = ?, head_count = ? WHERE p = ?').run(pos, headCount, p)
      return { row: { p, project, root: before?.root ?? id, revision: pos, headCount }, forked }
    },
    have(p) {
      const [revision] = sql('SELECT revision FROM kbd_projects WHERE p = ?').get<[revision: number]>(p)!
      const found = new Set(graph.frontier(p).heads.slice(0, MAX_HEADS / 2))
      const far = new Set<string>()
      let level = [...found].map((id) => graph.node(p, id)!.pos)
      let lowest = revision
      for (let step = 1, next = 1; step <= MAX_STEPS && level.length > 0; step++) {
        level = [...new Set(level.flatMap((pos) => parentsOf(p, pos)))].sort((a, b) => b - a).slice(0, 4)
        for (const pos of level) lowest = Math.min(lowest, pos)
        if (step !== next) continue
        next *= 2
        for (const pos of level.slice(0, 2)) far.add(idAt(p, pos))
      }
      for (let back = MAX_STEPS; lowest > 1 && back < revision; back *= 2) far.add(idAt(p, Math.max(1, lowest - back)))
      far.add(idAt(p, 1))
      // The first command is the one that is always known to both.
      return [...[...found, ...far].slice(0, MAX_HEADS - 1), idAt(p, 1)].filter((id, i, all) => all.indexOf(id) === i)
    },
    missing: (row, have) =>
      createPast(sql, row.p).joined(
        have.map((id) => graph.node(row.p, id)?.pos).filter((pos) => pos !== undefined),
        row.revision + 1,
      ),
  }
  /** Rows that have to be read to find out what a command had not seen, where it is not written beside it. */
  const hopsOver = (p: number, parents: readonly Node[]): number =>
    parents.reduce((sum, { pos }) => {
      const row = sql('SELECT hops FROM kbd_commands WHERE p = ? AND pos = ?').get<[hops: number]>(p, pos)
      return sum + 1 + row![0]
    }, 0)
  /** Puts a tip in the place of those that it follows. */
  const moveTips = (p: number, owner: string, [first, ...others]: readonly Tip[], { id, pos }: Tip): void => {
    for (const tip of others) sql('DELETE FROM kbd_tips WHERE p = ? AND owner = ? AND id = ?').run(p, owner, tip.id)
    if (first === undefined) sql('INSERT INTO kbd_tips VALUES (?, ?, ?, ?)').run(p, owner, id, pos)
    else
      sql('UPDATE kbd_tips SET id = ?, pos = ? WHERE p = ? AND owner = ? AND id = ?').run(id, pos, p, owner, first.id)
  }
  return graph
}

/** How many commands a project has that a set of parents has not seen. */
export function divergence(unseen: Ranges): number {
  return sizeOf(unseen)
}

function toNode([pos, id, signer, issuedAtMs]: readonly [...NodeRow, ...unknown[]]): Node {
  return { pos, id, signer, issuedAtMs }
}

function toProject(row: ProjectColumns | undefined): ProjectRow | undefined {
  if (row === undefined) return undefined
  const [p, project, root, revision, headCount] = row
  return { p, project, root, revision, headCount }
}
