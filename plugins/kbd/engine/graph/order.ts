/**
 * Graph order: a command comes after those that its author had seen, and concurrent commands are sorted by time. A time
 * alone is the word of its author: sorted by it, a comment from a clock that was ahead would stay below all answers to
 * it.
 */
import type { Past } from './past.ts'
import { eachRange } from './ranges.ts'
import type { Node } from './statements.ts'

/** Of the commands at some positions, the first in graph order; of concurrent ones the earliest, then the lowest id. */
export function firstOf(past: Past, positions: readonly number[]): Node {
  const nodes = positions.map((pos) => past.nodeAt(pos))
  const [first] = inGraphOrder(past, nodes, ({ id }) => id)
  if (first === undefined) throw new Error('An entity was created by no command.')
  return first
}

/** Sorts commands in graph order. Concurrent ones are sorted by time, then by the text that `idOf` returns. */
export function inGraphOrder<T extends Node>(past: Past, nodes: readonly T[], idOf: (node: T) => string): readonly T[] {
  if (nodes.length < 2) return nodes
  const ascending = [...nodes].sort((one, other) => one.pos - other.pos)
  /**
   * Of each command, the latest time of the command itself and of those in its past, and the number of commands in its
   * past one after the other that have this time. A command therefore comes directly after a parent whose time is
   * later.
   */
  const keys: { readonly atMs: number; readonly steps: number }[] = []
  for (const [index, { pos, issuedAtMs }] of ascending.entries()) {
    let key = { atMs: issuedAtMs, steps: 0 }
    const before = (from: number, to: number): void => {
      for (let i = from; i < to; i++) {
        const { atMs, steps } = keys[i] as (typeof keys)[number]
        if (atMs > key.atMs || (atMs === key.atMs && steps >= key.steps)) key = { atMs, steps: steps + 1 }
      }
    }
    let from = 0
    for (const [low, high] of eachRange(past.unseen(pos))) {
      const to = indexFrom(ascending, low, from, index)
      before(from, to)
      from = indexFrom(ascending, high + 1, to, index)
    }
    before(from, index)
    keys.push(key)
  }
  return ascending
    .map((node, index) => ({ node, ...(keys[index] as (typeof keys)[number]) }))
    .sort(
      (one, other) =>
        one.atMs - other.atMs ||
        one.steps - other.steps ||
        one.node.issuedAtMs - other.node.issuedAtMs ||
        (idOf(one.node) < idOf(other.node) ? -1 : 1),
    )
    .map(({ node }) => node)
}

/** The index of the first command from `from` on and before `to` whose position is not below `pos`; else `to`. */
function indexFrom(ascending: readonly Node[], pos: number, from: number, to: number): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] as Node).pos < pos) low = middle + 1
    else high = middle
  }
  return low
}
