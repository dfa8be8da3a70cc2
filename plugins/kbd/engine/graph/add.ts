/** Adds a command to the graph of its project: its row, the heads, and the tips of its device. */
import type { CommandEnvelope } from '../../api.ts'
import type { Place } from './place.ts'
import { contains, toText } from './ranges.ts'
import { type GraphStatements, HEADS, type Node, type ProjectRow, type Tip } from './statements.ts'

/** A command to be added to the graph. */
export interface NewNode {
  readonly id: string
  readonly project: string
  readonly envelope: CommandEnvelope
  /** The envelope as it is stored. */
  readonly text: string
}

/** The project after a command was added, and whether the device of the command has several branches now. */
export interface Added {
  readonly row: ProjectRow
  readonly forked: boolean
}

/** The most rows that are read to find the positions that a command had not seen. */
const MAX_HOPS = 16
/** The longest list of unseen positions that is always stored, in characters. */
const SHORT_TEXT = 256

/**
 * Adds a command at its place. `before` is undefined for the first command; `derived` is a value that the fold found.
 */
export function addNode(
  statements: GraphStatements,
  before: ProjectRow | undefined,
  { id, project, envelope, text }: NewNode,
  { parents, unseen, tips }: Place,
  derived: unknown,
): Added {
  const p = before?.p ?? statements.nextNumber()
  const pos = (before?.revision ?? 0) + 1
  const list = toText(unseen)
  const hops = list.length <= SHORT_TEXT ? 0 : hopsOver(statements, p, parents)
  const isStored = hops === 0 || hops > MAX_HOPS
  statements.insertCommand(p, pos, [
    id,
    envelope.commandId.toLowerCase(),
    envelope.signerKeyId,
    envelope.issuedAtMs,
    parents.map((parent) => parent.pos).join(),
    isStored ? list : null,
    isStored ? 0 : hops,
    derived === undefined ? null : JSON.stringify(derived),
    text,
  ])
  const ended = parents.filter(({ isHead }) => isHead)
  const followed = tips.filter((tip) => !contains(unseen, tip.pos))
  replaceTips(statements, p, HEADS, ended, { id, pos })
  replaceTips(statements, p, envelope.signerKeyId, followed, { id, pos })
  const headCount = (before?.headCount ?? 0) + 1 - ended.length
  if (before === undefined) statements.insertProject(p, project, id)
  else statements.updateProject(p, pos, headCount)
  return {
    row: { p, project, root: before?.root ?? id, revision: pos, headCount },
    forked: followed.length < tips.length,
  }
}

/**
 * The number of rows to read to find the positions that a command with these parents had not seen, if they are not
 * stored.
 */
function hopsOver(statements: GraphStatements, p: number, parents: readonly Node[]): number {
  return parents.reduce((sum, { pos }) => sum + 1 + statements.hops(p, pos), 0)
}

/** Puts a tip in the place of the tips that it follows. */
function replaceTips(
  statements: GraphStatements,
  p: number,
  owner: string,
  [first, ...others]: readonly Tip[],
  tip: Tip,
): void {
  for (const { id } of others) statements.deleteTip(p, owner, id)
  if (first === undefined) statements.insertTip(p, owner, tip)
  else statements.moveTip(p, owner, first.id, tip)
}
