/**
 * The commands of one project, read at most once each while one command is applied. A wide graph asks for the same
 * positions again and again; without this memory the cost of one command is quadratic in the concurrent commands.
 */
import type { Sql } from '../parts.ts'
import { fromText, intersect, type Ranges, withTail } from './ranges.ts'

/** A command as the graph knows it. */
export interface Node {
  readonly pos: number
  readonly id: string
  readonly signer: string
  readonly issuedAtMs: number
}

/** Reads positions of a project. Valid only while no position of the project changes, so for one command. */
export interface Past {
  nodeAt(pos: number): Node
  /** Positions before `pos` that the command there had not seen. */
  unseen(pos: number): Ranges
  /** What neither the commands at these positions nor their ancestors are, up to and without `pos`. */
  joined(parents: readonly number[], pos: number): Ranges
  /** Reads the commands of all entries of an entity with one statement. */
  load(entity: string): void
}

type Row = readonly [
  pos: number,
  id: string,
  signer: string,
  issuedAtMs: number,
  unseen: string | null,
  parents: string,
]

const COLUMNS = 'pos, id, signer, issued_at_ms, unseen, parents'
const AT = `SELECT ${COLUMNS} FROM kbd_commands WHERE p = ? AND pos = ?`
const OF_ENTITY = `SELECT ${COLUMNS} FROM kbd_commands WHERE p = ? AND pos IN
  (SELECT pos FROM kbd_entries WHERE p = ? AND entity = ?)`

/** Makes the memory for one command of the project with number `p`. */
export function createPast(sql: Sql, p: number): Past {
  const rows = new Map<number, Row>()
  const known = new Map<number, Ranges>()
  const rowAt = (pos: number): Row => {
    let row = rows.get(pos)
    if (row === undefined) {
      row = sql(AT).get<[...Row]>(p, pos)
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
      let ranges = known.get(pos)
      if (ranges === undefined) {
        const [, , , , text, parents] = rowAt(pos)
        ranges = text === null ? past.joined(positionsOf(parents), pos) : fromText(text)
        known.set(pos, ranges)
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
      for (const row of sql(OF_ENTITY).all<[...Row]>(p, p, entity)) rows.set(row[0], row)
    },
  }
  return past
}

/** The positions in the column `parents`. */
export function positionsOf(text: string): readonly number[] {
  return text === '' ? [] : text.split(',').map(Number)
}
