/** What two nodes ask of each other: which commands the other one has, and which it lacks. */
import { eachRange, intersect, sizeOf } from '../graph/ranges.ts'
import { type CommandPage, toPage } from './command-reads.ts'
import { pastOf, type ReadingParts } from './parts.ts'
import type { CommandRow } from './statements.ts'

/** Reads for the exchange with other nodes. */
export interface ExchangeReads {
  /** Heads and spaced ancestors: what to show another node so that it sends the rest. */
  have(project: string): readonly string[]
  /**
   * What is not in the past of ids that another node has, parents first, up to a number of bytes. `after` is the last
   * command of the page before: where there are more heads than ids may be named, it is what makes sure of an end. With
   * `upTo` only what is in the past of those known commands, they included.
   */
  missing(
    project: string,
    have: readonly string[],
    maxBytes: number,
    after?: string,
    upTo?: readonly string[],
  ): CommandPage
  /** The number of commands that are not in the past of the ids; unknown ids say nothing. */
  behind(project: string, have: readonly string[]): number
  /** Whether every id is known here and `of` (known heads) have it in their past, or are it. */
  covers(project: string, of: readonly string[], ids: readonly string[]): boolean
  /** Commands in the past of known heads, they included: the revision that a frontier stands for. */
  revisionOf(project: string, heads: readonly string[]): number
}

/** Commands that are read at once. */
const SLICE = 64

/** Makes the reads for the exchange. */
export function createExchangeReads({ graph, statements }: ReadingParts): ExchangeReads {
  /** The commands of ranges of positions, a slice at a time. */
  function* commandsIn(p: number, ranges: readonly number[]): Iterable<[...CommandRow, pos: number]> {
    for (const [low, high] of eachRange(ranges))
      for (let from = low; from <= high; from += SLICE)
        yield* statements.commandsBetween(p, from, Math.min(high, from + SLICE - 1))
  }
  return {
    have(project) {
      const row = graph.project(project)
      return row === undefined ? [] : graph.have(row.p)
    },
    missing(project, have, maxBytes, after, upTo) {
      const row = graph.project(project)
      if (row === undefined) return { commands: [], more: false }
      const start = after === undefined ? 0 : (graph.node(row.p, after)?.pos ?? 0)
      const ranges = intersect(graph.missing(row, have), [start + 1, row.revision])
      const isWanted = upTo === undefined ? () => true : pastOf(graph, row, upTo)
      const found: CommandRow[] = []
      let bytes = 0
      for (const [id, envelope, pos] of commandsIn(row.p, ranges)) {
        if (!isWanted(pos)) continue
        // Bytes of UTF-8, as they will be sent, with the comma between two.
        bytes += new TextEncoder().encode(envelope).length + 1
        if (bytes > maxBytes && found.length > 0) return toPage(found, true)
        found.push([id, envelope])
      }
      return toPage(found, false)
    },
    behind(project, have) {
      const row = graph.project(project)
      return row === undefined ? 0 : sizeOf(graph.missing(row, have))
    },
    covers(project, of, ids) {
      const row = graph.project(project)
      if (row === undefined) return ids.length === 0
      const isPast = pastOf(graph, row, of)
      return ids.every((id) => {
        const node = graph.node(row.p, id)
        return node !== undefined && isPast(node.pos)
      })
    },
    revisionOf(project, heads) {
      const row = graph.project(project)
      return row === undefined ? 0 : row.revision - sizeOf(graph.missing(row, heads))
    },
  }
}
