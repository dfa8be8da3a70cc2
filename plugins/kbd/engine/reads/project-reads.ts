/** Reads of whole projects: the frontier, the revision and the state of each. */
import type { Project, Standing } from '../../api.ts'
import { createFoldStatements } from '../fold/statements.ts'
import { createViews } from '../fold/views.ts'
import { firstOf, inGraphOrder } from '../graph/order.ts'
import type { ProjectRow } from '../graph/statements.ts'
import { requireRow } from '../sql.ts'
import { numberOf, type ReadingParts } from './read-parts.ts'
import type { ViewRow } from './statements.ts'

/** Reads of whole projects. */
export interface ProjectReads {
  /** The projects that have commands, each with its frontier and revision. */
  projects(): readonly (Standing & { readonly project: string; readonly root: string })[]
  standing(project: string): Standing
  root(project: string): string | null
  /** The body of GET project as a text, and as a value. */
  snapshotText(project: string): string
  snapshot(project: string): Project
  /** Ids of boards in the order of their creation, which is the same on every node. */
  boardOrder(project: string): readonly string[]
  /**
   * The rows of one map of a project after an id, sorted by id; at most `limit`. A reader in slices calls this
   * repeatedly. If several claims have one claim id, each row contains the claim that is shown.
   */
  viewPage(project: string, map: string, after: string, limit: number): readonly ViewRow[]
  /** Ids of cards whose board or column is missing or archived. */
  unplaced(project: string): readonly string[]
}

/** Makes the reads of projects. */
export function createProjectReads({ sql, graph, statements }: ReadingParts): ProjectReads {
  const { views } = statements
  const { claimJson } = createViews(createFoldStatements(sql))
  const standingOf = (row: ProjectRow | undefined): Standing =>
    row === undefined
      ? { frontier: { heads: [] }, headCount: 0, revision: 0 }
      : { frontier: graph.frontier(row.p), headCount: row.headCount, revision: row.revision }
  const boardIds = (p: number): readonly string[] => {
    const past = graph.past(p)
    const positions = new Map<string, number[]>()
    for (const [entity, pos] of statements.createdLike(p, 'board/')) {
      const id = entity.slice('board/'.length)
      positions.set(id, [...(positions.get(id) ?? []), pos])
    }
    const created = [...positions].map(([boardId, all]) => ({ boardId, ...firstOf(past, all) }))
    return inGraphOrder(past, created, ({ id }) => id).map(({ boardId }) => boardId)
  }
  const inOrder = (p: number, boards: readonly ViewRow[]): readonly ViewRow[] => {
    const byId = new Map(boards.map((row) => [row[0], row]))
    return boardIds(p).map((id) => requireRow(byId.get(id)))
  }
  const claimsOf = (p: number): ReadonlyMap<string, string> => {
    const claims = new Map<string, string>()
    for (const [, json, , claimId] of views(p, 'claims')) {
      const id = requireText(claimId)
      claims.set(id, claims.has(id) ? requireText(claimJson(p, id)) : json)
    }
    return claims
  }
  const snapshotText = (project: string): string => {
    const row = graph.project(project)
    const p = row?.p ?? 0
    const [boards, columns, cards] = [inOrder(p, views(p, 'boards')), views(p, 'columns'), views(p, 'cards')]
    const { frontier, headCount, revision } = standingOf(row)
    const head = JSON.stringify({ project, root: row?.root ?? null, revision, frontier, headCount })
    const maps = [
      ['boards', join(boards)],
      ['columns', join(columns)],
      ['cards', join(cards)],
      ['claims', join([...claimsOf(p)].sort(([one], [other]) => (one < other ? -1 : 1)))],
      ['conflicts', join(views(p, 'conflicts'))],
    ].map(([name, text]) => `"${name}":{${text}}`)
    return `${head.slice(0, -1)},${maps.join()},"unplaced":${JSON.stringify(unplaced(boards, columns, cards))}}`
  }
  return {
    projects: () => graph.projects().map((row) => ({ project: row.project, root: row.root, ...standingOf(row) })),
    standing: (project) => standingOf(graph.project(project)),
    root: (project) => graph.project(project)?.root ?? null,
    snapshotText,
    snapshot: (project) => JSON.parse(snapshotText(project)) as Project,
    boardOrder: (project) => boardIds(numberOf(graph, project)),
    viewPage(project, map, after, limit) {
      const p = numberOf(graph, project)
      const rows = statements.viewPage(p, map, after, limit)
      if (map !== 'claims') return rows
      return rows.map(
        ([id, , archived, a, b]): ViewRow => [id, requireText(claimJson(p, requireText(a))), archived, a, b],
      )
    },
    unplaced(project) {
      const p = numberOf(graph, project)
      return unplaced(views(p, 'boards'), views(p, 'columns'), views(p, 'cards'))
    },
  }
}

/** Returns a text of a claim's row. Throws if the text is missing, which happens only in a damaged store. */
function requireText(text: string | null): string {
  if (text === null) throw new Error('A claim lacks a part of its row.')
  return text
}

function join(rows: readonly (readonly [id: string, json: string, ...rest: unknown[]])[]): string {
  return rows.map(([id, json]) => `"${id}":${json}`).join()
}

/** Ids of cards whose shown place names a missing or archived board or column. */
function unplaced(
  boards: readonly ViewRow[],
  columns: readonly ViewRow[],
  cards: readonly ViewRow[],
): readonly string[] {
  const live = (rows: readonly ViewRow[]): ReadonlySet<string | null> =>
    new Set(rows.filter(([, , archived]) => archived === 0).map(([id]) => id))
  const [onBoards, inColumns] = [live(boards), live(columns)]
  return cards.filter(([, , , a, b]) => !onBoards.has(a) || !inColumns.has(b)).map(([id]) => id)
}
