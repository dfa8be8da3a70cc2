/** Reads for the exchange with other nodes: the commands that another node has, and those that it lacks. */
import { eachRange, intersect, sizeOf } from '../graph/ranges.ts'
import { type CommandPage, toPage } from './command-reads.ts'
import { pastOf, type ReadingParts } from './read-parts.ts'
import type { CommandRow } from './statements.ts'

/** Reads for the exchange with other nodes. */
export interface ExchangeReads {
  /** Heads and spaced ancestors of this node. Another node sends the commands that are not in their past. */
  have(project: string): readonly string[]
  /**
   * The commands that are neither among the ids `have` of another node nor in their past, parents first, up to
   * `maxBytes`. The page begins behind the command `after`, the last one of the page before. If there are more heads
   * than a request may name, only `after` ensures that the pages end. With `upTo`, only the known commands `upTo` and
   * their ancestors.
   */
  missing(
    project: string,
    have: readonly string[],
    maxBytes: number,
    after?: string,
    upTo?: readonly string[],
  ): CommandPage
  /** The number of commands that are neither among the ids nor in their past. Unknown ids are ignored. */
  behind(project: string, have: readonly string[]): number
  /** Whether this node knows every id, and every id is one of the known heads `of` or in their past. */
  covers(project: string, of: readonly string[], ids: readonly string[]): boolean
  /** The number of the known heads and their ancestors, which is the revision of a project with this frontier. */
  revisionOf(project: string, heads: readonly string[]): number
}

/** Most commands that one statement reads. */
const SLICE = 64

/** Makes the reads for the exchange. */
export function createExchangeReads({ graph, statements }: ReadingParts): ExchangeReads {
  /** The commands at ranges of positions. */
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
      const rows: CommandRow[] = []
      let bytes = 0
      for (const [id, envelope, pos] of commandsIn(row.p, ranges)) {
        if (!isWanted(pos)) continue
        // Bytes of UTF-8 as they are sent, with the comma between two commands.
        bytes += new TextEncoder().encode(envelope).length + 1
        if (bytes > maxBytes && rows.length > 0) return toPage(rows, true)
        rows.push([id, envelope])
      }
      return toPage(rows, false)
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
