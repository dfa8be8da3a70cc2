/**
 * The commands of one project, each read at most once while one command is applied. A wide graph asks for the same
 * positions again and again. Without this memory the cost of one command is quadratic in the number of concurrent
 * commands.
 */
import { fromText, intersect, type Ranges, withTail } from './ranges.ts'
import { type GraphStatements, type Node, type PastRow, positionsOf } from './statements.ts'

/** Reads positions of a project. Valid only while no position of the project changes, so for one command. */
export interface Past {
  nodeAt(pos: number): Node
  /** Positions before `pos` that the command there had not seen. */
  unseen(pos: number): Ranges
  /** Positions before `pos` that are neither at these parents nor at their ancestors. */
  joined(parents: readonly number[], pos: number): Ranges
  /** Reads the commands of all entries of an entity with one statement. */
  load(entity: string): void
  /** Reads the commands at positions with one statement. */
  loadAt(positions: readonly number[]): void
}

/** Makes the memory for one command of the project with number `p`. */
export function createPast(statements: Pick<GraphStatements, 'past' | 'pastAt' | 'pastOfEntity'>, p: number): Past {
  const rows = new Map<number, PastRow>()
  const unseenAt = new Map<number, Ranges>()
  const rowAt = (pos: number): PastRow => {
    let row = rows.get(pos)
    if (row === undefined) {
      row = statements.past(p, pos)
      if (row === undefined) throw new Error(`The project has no command at position ${pos}.`)
      rows.set(pos, row)
    }
    return row
  }
  const past: Past = {
    nodeAt(pos) {
      const [, id, signer, issuedAtMs] = rowAt(pos)
      return { pos, id, signer, issuedAtMs }
    },
    unseen(pos) {
      let ranges = unseenAt.get(pos)
      if (ranges === undefined) {
        const [, , , , text, parents] = rowAt(pos)
        ranges = text === null ? past.joined(positionsOf(parents), pos) : fromText(text)
        unseenAt.set(pos, ranges)
      }
      return ranges
    },
    joined(parents, pos) {
      if (parents.length === 0) return withTail([], 1, pos - 1)
      return parents
        .map((parent) => withTail(past.unseen(parent), parent + 1, pos - 1))
        .reduce((one, other) => (one.length === 0 ? one : intersect(one, other)))
    },
    load(entity) {
      for (const row of statements.pastOfEntity(p, entity)) rows.set(row[0], row)
    },
    loadAt(positions) {
      for (const row of statements.pastAt(p, positions)) rows.set(row[0], row)
    },
  }
  return past
}
