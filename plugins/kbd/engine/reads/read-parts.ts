/** The parts that all reads share. */
import type { Claims } from '../claims/claims.ts'
import type { Content } from '../content/content.ts'
import type { Graph } from '../graph/graph.ts'
import { contains } from '../graph/ranges.ts'
import type { ProjectRow } from '../graph/statements.ts'
import type { Sql } from '../sql.ts'
import type { ReadStatements } from './statements.ts'

/** The parts of reads. */
export interface ReadParts {
  readonly sql: Sql
  readonly graph: Graph
  readonly claims: Pick<Claims, 'lasting'>
  readonly content: Content
}

/** The parts, with the statements. */
export interface ReadingParts extends ReadParts {
  readonly statements: ReadStatements
}

/** The number of a project in the database. Returns 0, which no project has, if the project has no commands. */
export function numberOf(graph: Graph, project: string): number {
  return graph.project(project)?.p ?? 0
}

/** Returns a function that says whether a position is one of the known heads or in their past. */
export function pastOf(graph: Graph, row: ProjectRow, heads: readonly string[]): (pos: number) => boolean {
  const unseen = graph.missing(row, heads)
  return (pos) => !contains(unseen, pos)
}
