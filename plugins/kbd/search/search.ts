/**
 * A search, in slices. The cost of one slice is bounded, independent of the length of the query and the number of
 * things, so that a search for everything does not block other requests.
 */

import type { StoreDriver } from '../../store/api.ts'
import type { Card, Comment, Frontier } from '../api.ts'
import type { KbdReads } from '../engine/reads/reads.ts'
import { type SearchKind, type SearchQuery, toMatch } from './query.ts'
import { fold, snippetOf, wordsOf } from './snippet.ts'
import { createSearchStatements, type FoundRow, type SearchStatements } from './statements.ts'

/** One thing that was found. */
export interface SearchResult {
  readonly kind: SearchKind
  readonly id: string
  readonly project: string
  /** Of a comment, the title of its card. */
  readonly title: string | null
  /** The words around the first match. */
  readonly snippet: string
  /** Higher is better. */
  readonly score: number
}

/** The response to a search. */
export interface SearchAnswer {
  readonly results: readonly SearchResult[]
  /** Of the project that was searched; null if all projects were. */
  readonly frontier: Frontier | null
  /** The number of heads of that project; null as above. */
  readonly headCount: number | null
}

/** Runs one slice inside one read of the boards. Returns the response, or undefined if there is more work. */
export type SearchSlice = (driver: StoreDriver, reads: Pick<KbdReads, 'standing'>) => SearchAnswer | undefined

/** Most words by which results are ranked. For each of them, every thing that has the word is read again. */
const RANKED_WORDS = 8
/** The most look-ups of a word in a thing in one slice. They take some milliseconds. */
const SLICE = 25_000

/**
 * Begins a search. Results are ranked by the first words. Before that, the things that have all of the other words are
 * found, some words in each slice.
 */
export function createSearch({ text, project, kind, limit }: SearchQuery): SearchSlice {
  const words = wordsOf(text)
  const folded = new Set(words.map(fold))
  const ranked = toMatch(words.slice(0, RANKED_WORDS))
  let otherWords = words.slice(RANKED_WORDS)
  /** Things that have all words of the slices before; undefined before the first. */
  let things: readonly number[] | undefined

  return (driver, reads) => {
    const statements = statementsOf(driver)
    const p = project === undefined ? undefined : statements.numberOf(project)
    const answer = (results: readonly SearchResult[]): SearchAnswer => {
      if (project === undefined) return { results, frontier: null, headCount: null }
      const { frontier, headCount } = reads.standing(project)
      return { results, frontier, headCount }
    }
    if (words.length === 0 || (project !== undefined && p === undefined)) return answer([])
    if (otherWords.length > 0) {
      const taken = Math.max(1, Math.floor(SLICE / (statements.lastThing() + 1)))
      const matches = statements.matching(toMatch(otherWords.slice(0, taken)))
      otherWords = otherWords.slice(taken)
      const before = things && new Set(things)
      things = before === undefined ? matches : matches.filter((n) => before.has(n))
      return things.length === 0 ? answer([]) : undefined
    }
    const rows = statements.ranked({ match: ranked, p, kind, limit, things })
    return answer(rows.map((row) => toResult(statements, row, folded)))
  }
}

/** Searches at once, without a pause. */
export function search(driver: StoreDriver, reads: Pick<KbdReads, 'standing'>, query: SearchQuery): SearchAnswer {
  const next = createSearch(query)
  for (;;) {
    const answer = next(driver, reads)
    if (answer !== undefined) return answer
  }
}

function toResult(
  statements: SearchStatements,
  [n, p, kind, id, score]: FoundRow,
  folded: ReadonlySet<string>,
): SearchResult {
  const snippet = snippetOf(statements.texts(n), folded)
  return { kind, id, project: statements.projectOf(p), title: titleOf(statements, p, kind, id), snippet, score }
}

function titleOf(statements: SearchStatements, p: number, kind: SearchKind, id: string): string | null {
  const view = <T>(map: string, of: string): T | undefined => {
    const json = statements.view(p, map, of)
    return json === undefined ? undefined : (JSON.parse(json) as T)
  }
  if (kind !== 'comment') return view<{ readonly title: string | null }>(`${kind}s`, id)?.title ?? null
  const cardId = view<Comment>('comments', id)?.cardId ?? null
  return cardId === null ? null : (view<Card>('cards', cardId)?.title ?? null)
}

const prepared = new WeakMap<StoreDriver, SearchStatements>()

function statementsOf(driver: StoreDriver): SearchStatements {
  let statements = prepared.get(driver)
  if (statements === undefined) prepared.set(driver, (statements = createSearchStatements(driver)))
  return statements
}
