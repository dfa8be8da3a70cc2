/** Reads of the texts that commands name by their hash. */
import type { Content } from '../content/content.ts'
import { numberOf, pastOf, type ReadingParts } from './read-parts.ts'

/** Reads of texts. */
export interface ContentReads {
  readonly content: Pick<Content, 'get' | 'wanted' | 'isNamed'>
  /** A text that a command of this project names and shows. Returns undefined if there is no such text here. */
  contentOf(project: string, hash: string): Uint8Array | undefined
  /** The same for a peer: only bytes that came in under the project, or that the peer itself has sent. */
  contentFor(project: string, hash: string, peer: string): Uint8Array | undefined
  /**
   * Hashes of texts that commands of a project name and show, and that have not come in under the project; at most
   * `limit`. With `upTo`, only texts that the commands `upTo` or their ancestors name.
   */
  wantedContent(project: string, limit: number, upTo?: readonly string[]): readonly string[]
}

/** Most texts whose commands are searched. Each search reads all commands of the project. */
const MAX_WANTED = 256

/** Makes the reads of texts. */
export function createContentReads({ graph, content, statements }: ReadingParts): ContentReads {
  return {
    content,
    contentOf: (project, hash) => content.get(hash, numberOf(graph, project)),
    contentFor: (project, hash, peer) => content.getFor(hash, numberOf(graph, project), { project, peer }),
    wantedContent(project, limit, upTo) {
      const row = graph.project(project)
      if (row === undefined) return []
      if (upTo === undefined || graph.missing(row, upTo).length === 0) return content.wanted(row.p, project, limit)
      // A later command may name the same text as an earlier command, so every command that names the text is checked.
      const isPast = pastOf(graph, row, upTo)
      return content
        .wanted(row.p, project, MAX_WANTED)
        .filter((hash) => statements.positionsNaming(row.p, hash).some(isPast))
        .slice(0, limit)
    },
  }
}
