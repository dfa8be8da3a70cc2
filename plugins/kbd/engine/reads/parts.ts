/** What all reads are made of. */
import type { Content } from '../content/content.ts'
import type { Graph } from '../graph/graph.ts'
import { contains } from '../graph/ranges.ts'
import type { ProjectRow } from '../graph/statements.ts'
import type { Sql } from '../parts.ts'
import type { ReadStatements } from './statements.ts'

/** What reads are made of. */
export interface ReadParts {
  readonly sql: Sql
  readonly graph: Graph
  readonly content: Content
}

/** The parts, with the statements. */
export interface ReadingParts extends ReadParts {
  readonly statements: ReadStatements
}

/** The number of a project in the database; 0, which none has, where there is no such project. */
export function numberOf(graph: Graph, project: string): number {
  return graph.project(project)?.p ?? 0
}

/** Says of a position whether it is in the past of known heads, or one of them. */
export function pastOf(graph: Graph, row: ProjectRow, heads: readonly string[]): (pos: number) => boolean {
  const unseen = graph.missing(row, heads)
  return (pos) => !contains(unseen, pos)
}
