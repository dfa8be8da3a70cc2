/** Finds which of two sets of commands are concurrent, without comparing every pair. */
import type { Past } from '../graph/past.ts'
import { contains, type Ranges } from '../graph/ranges.ts'

/** Positions of both sets that are concurrent with a position of the other set. */
export interface Concurrent {
  readonly first: readonly number[]
  readonly second: readonly number[]
}

/** A set of positions, ascending, with those that were found. */
interface Side {
  readonly positions: readonly number[]
  readonly matches: Set<number>
}

/**
 * Finds the members of either set that are concurrent with a member of the other set. The unseen positions of a member
 * are read only if they can still find a position: the member itself, or an earlier position of the other set.
 */
export function findConcurrent(past: Past, first: readonly number[], second: readonly number[]): Concurrent {
  const one = toSide(first)
  const other = toSide(second)
  // The smaller side is first, because the unseen positions of its members find most of the larger side.
  const [small, large] = one.positions.length <= other.positions.length ? [one, other] : [other, one]
  markUnseen(past, small, large)
  markUnseen(past, large, small)
  return { first: [...one.matches], second: [...other.matches] }
}

function toSide(positions: readonly number[]): Side {
  return { positions: [...positions].sort((a, b) => a - b), matches: new Set() }
}

/**
 * For each position of `side`, finds the positions of `opposite` that its author had not seen, and then the position
 * itself.
 */
function markUnseen(past: Past, side: Side, opposite: Side): void {
  // `next[i]` is where the search for an open position, one that is not found yet, continues. It is `i` while position
  // `i` is open.
  const next = opposite.positions.map((_, i) => i)
  /** The first index from `i` on whose position is open. Shortens the steps of later searches. */
  const open = (i: number): number => {
    let at = i
    while (at < next.length && (next[at] as number) > at) at = next[at] as number
    for (let from = i; from < at; ) {
      const step = next[from] as number
      next[from] = at
      from = step
    }
    return at
  }
  for (const [i, pos] of opposite.positions.entries()) if (opposite.matches.has(pos)) next[i] = i + 1
  for (const pos of side.positions) {
    const firstOpen = opposite.positions[open(0)]
    const hasOpen = firstOpen !== undefined && firstOpen < pos
    if (!hasOpen && side.matches.has(pos)) continue
    if ((opposite.positions[0] ?? pos) >= pos) continue
    const unseen = past.unseen(pos)
    if (unseen.length === 0) continue
    if (!side.matches.has(pos) && meets(unseen, opposite.positions)) side.matches.add(pos)
    if (hasOpen) markWithin(unseen, opposite, next, open)
  }
}

/** Finds every position that is in the ranges. */
function markWithin(ranges: Ranges, { positions, matches }: Side, next: number[], open: (i: number) => number): void {
  for (let i = 0; i < ranges.length; i += 2) {
    const high = ranges[i + 1] as number
    let at = open(indexFrom(positions, ranges[i] as number))
    if (at >= positions.length) return
    for (; at < positions.length && (positions[at] as number) <= high; at = open(at)) {
      matches.add(positions[at] as number)
      next[at] = at + 1
    }
  }
}

/** Whether one of the positions is in the ranges. */
function meets(ranges: Ranges, positions: readonly number[]): boolean {
  if (positions.length < ranges.length) return positions.some((pos) => contains(ranges, pos))
  for (let i = 0; i < ranges.length; i += 2) {
    const pos = positions[indexFrom(positions, ranges[i] as number)]
    if (pos === undefined) return false
    if (pos <= (ranges[i + 1] as number)) return true
  }
  return false
}

/** The index of the first position that is not below `low`. */
function indexFrom(positions: readonly number[], low: number): number {
  let from = 0
  let to = positions.length
  while (from < to) {
    const middle = (from + to) >> 1
    if ((positions[middle] as number) < low) from = middle + 1
    else to = middle
  }
  return from
}
