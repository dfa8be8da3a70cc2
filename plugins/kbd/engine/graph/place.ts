/**
 * The place of a new command in the graph of its project. It is found once; the checks and the write use the same
 * place.
 */
import { createPast } from './past.ts'
import { type Ranges, sizeOf } from './ranges.ts'
import type { GraphStatements, Parent, ProjectRow, Tip } from './statements.ts'

/** The place of a new command. */
export interface Place {
  readonly parents: readonly Parent[]
  /** Positions that its author had not seen. */
  readonly unseen: Ranges
  /** Commands of its device that no later command of the device has seen. */
  readonly tips: readonly Tip[]
}

/**
 * The place of the next command of a device with these parents; `row` is undefined before the first command of a
 * project.
 */
export function placeOf(
  statements: GraphStatements,
  row: ProjectRow | undefined,
  parents: readonly Parent[],
  signer: string,
): Place {
  if (row === undefined) return { parents, unseen: [], tips: [] }
  const { p, revision, headCount } = row
  // A command on all heads, which is the ordinary case, has seen everything.
  const isOnHeads = parents.length === headCount && parents.every(({ isHead }) => isHead)
  const positions = parents.map(({ pos }) => pos)
  return {
    parents,
    tips: statements.tips(p, signer),
    unseen: isOnHeads ? [] : createPast(statements, p).joined(positions, revision + 1),
  }
}

/** The number of commands that the author of a command has not seen. */
export function divergence({ unseen }: Place): number {
  return sizeOf(unseen)
}
