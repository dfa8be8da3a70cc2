/** Reads of the open conflicts of a project. */
import type { Conflict } from '../../api.ts'
import { fail } from '../../errors.ts'
import { numberOf, type ReadingParts } from './read-parts.ts'

/** Some of the open conflicts of a project. */
export interface ConflictPage {
  /** JSON texts, sorted by conflictId. */
  readonly texts: readonly string[]
  /** The id of the last conflict of the page; null if no more follow. */
  readonly next: string | null
}

/** Reads of open conflicts. Lists are sorted by id. */
export interface ConflictReads {
  conflicts(project: string): readonly Conflict[]
  /**
   * The conflicts after an id: at most `limit`, and at most `maxChars` characters. A first conflict that is longer
   * comes alone.
   */
  conflictPage(project: string, after: string, limit: number, maxChars: number): ConflictPage
  conflictIds(project: string): readonly string[]
  /** Throws `conflict_not_found`. */
  conflict(project: string, conflictId: string): Conflict
}

/** Most conflicts that one statement reads. */
const SLICE = 64

/** Makes the reads of conflicts. */
export function createConflictReads({ graph, statements }: ReadingParts): ConflictReads {
  return {
    conflicts: (project) =>
      statements.views(numberOf(graph, project), 'conflicts').map(([, json]) => JSON.parse(json) as Conflict),
    conflictPage(project, after, limit, maxChars) {
      const p = numberOf(graph, project)
      const texts: string[] = []
      let [last, chars] = [after, 0]
      for (;;) {
        // Reads one conflict more than the limit, which shows whether there is a next page.
        const rows = statements.viewPage(p, 'conflicts', last, Math.min(SLICE, limit + 1 - texts.length))
        for (const [id, json] of rows) {
          chars += json.length
          if (texts.length === limit || (chars > maxChars && texts.length > 0)) return { texts, next: last }
          texts.push(json)
          last = id
        }
        if (rows.length < SLICE && texts.length < limit + 1) return { texts, next: null }
      }
    },
    conflictIds: (project) => statements.viewIds(numberOf(graph, project), 'conflicts'),
    conflict(project, conflictId) {
      const json = statements.view(numberOf(graph, project), 'conflicts', conflictId)
      if (json === undefined) throw fail('conflict_not_found')
      return JSON.parse(json) as Conflict
    },
  }
}
