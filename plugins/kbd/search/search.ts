/**
 * A search, in slices: what one of them may cost has a bound, however long the query and however many things there are, so
 * that who searches for everything holds nobody up.
 */
import type { Card, Comment, Frontier } from '../api.ts'
import type { Sql, SqlDriver } from '../engine/parts.ts'
import type { KbdReads } from '../engine/reads/reads.ts'
import { type SearchKind, type SearchQuery, toMatch } from './query.ts'
import { numberOf, sqlOf } from './search-index.ts'
import { fold, snippetOf, wordsOf } from './snippet.ts'

/** One thing that was found. */
export interface SearchResult {
  readonly kind: SearchKind
  readonly id: string
  readonly project: string
  /** Of a comment, that of its card. */
  readonly title: string | null
  /** The words around what was found. */
  readonly snippet: string
  /** Higher is better. */
  readonly score: number
}

/** What a search gives. */
export interface SearchAnswer {
  readonly results: readonly SearchResult[]
  /** Of the project that was searched; null where it was all of them. */
  readonly frontier: Frontier | null
  /** How many heads that project has; null as above. */
  readonly headCount: number | null
}

/** One slice, inside one look at the boards: the answer, or undefined where there is more to be done. */
export type SearchSlice = (driver: SqlDriver, reads: Pick<KbdReads, 'standing'>) => SearchAnswer | undefined

/** By so many words is ranked: for each of them every thing that has it is looked at again. */
const RANKED_WORDS = 8
/** How often a slice asks whether a thing has a word: some milliseconds. */
const SLICE = 25_000
/** Characters of a title with its labels, and of a text, that a snippet is looked for in. */
const [TITLE_CHARS, TEXT_CHARS] = [2_048, 4_096]

/** Begins a search. The first words rank; of the others, the things that have them are found some words at a time. */
export function createSearch({ text, project, kind, limit }: SearchQuery): SearchSlice {
  const words = wordsOf(text)
  const ranked = words.slice(0, RANKED_WORDS)
  let left = words.slice(RANKED_WORDS)
  /** Things that have all words that were asked for so far. */
  let things: readonly number[] | undefined

  return (driver, reads) => {
    const sql = sqlOf(driver)
    const p = project === undefined ? undefined : numberOf(sql, project)
    const answer = (results: readonly SearchResult[]): SearchAnswer => ({
      results,
      ...(project === undefined ? { frontier: null, headCount: null } : pick(reads.standing(project))),
    })
    if (words.length === 0 || (project !== undefined && p === undefined)) return answer([])
    if (left.length > 0) {
      const [count] = sql('SELECT coalesce(max(n), 0) FROM search_rows').get<[count: number]>()!
      const taken = Math.max(1, Math.floor(SLICE / (count + 1)))
      const found = sql('SELECT rowid FROM search_words WHERE search_words MATCH ?')
        .all<[n: number]>(toMatch(left.slice(0, taken)))
        .map(([n]) => n)
      left = left.slice(taken)
      const before = things && new Set(things)
      things = before === undefined ? found : found.filter((n) => before.has(n))
      return things.length === 0 ? answer([]) : undefined
    }
    // The pluses keep SQLite from asking FTS5 once more for each thing.
    const among = things === undefined ? '' : 'AND +r.n IN (SELECT value FROM json_each(?5))'
    const found = sql(
      `SELECT r.n, r.p, r.kind, r.id, -bm25(search_words) AS score FROM search_words JOIN search_rows r
       ON r.n = search_words.rowid WHERE search_words MATCH ?1 AND (?2 IS NULL OR r.p = ?2) AND (?3 IS NULL OR r.kind = ?3)
       ${among} ORDER BY score DESC, r.id, r.p LIMIT 0 + ?4`,
    ).all<[n: number, p: number, kind: SearchKind, id: string, score: number]>(
      ...[toMatch(ranked), p ?? null, kind ?? null, limit],
      ...(things === undefined ? [] : [JSON.stringify(things)]),
    )
    const folded = new Set(words.map(fold))
    return answer(
      found.map(([n, p, kind, id, score]) => {
        const texts = sql(
          `SELECT substr(title, 1, ${TITLE_CHARS}), substr(body, 1, ${TEXT_CHARS}) FROM search_words WHERE rowid = ?`,
        ).get<[title: string, body: string]>(n)!
        const snippet = snippetOf(texts, folded)
        return { kind, id, project: nameOf(sql, p), title: titleOf(sql, p, kind, id), snippet, score }
      }),
    )
  }
}

/** Searches at once, without a pause. */
export function search(driver: SqlDriver, reads: Pick<KbdReads, 'standing'>, query: SearchQuery): SearchAnswer {
  const next = createSearch(query)
  for (;;) {
    const answer = next(driver, reads)
    if (answer !== undefined) return answer
  }
}

function pick({ frontier, headCount }: { readonly frontier: Frontier; readonly headCount: number }) {
  return { frontier, headCount }
}

function titleOf(sql: Sql, p: number, kind: SearchKind, id: string): string | null {
  const view = <T>(map: string, of: string | null): T | undefined => {
    const row = sql('SELECT json FROM kbd_views WHERE p = ? AND map = ? AND id = ?').get<[json: string]>(p, map, of)
    return row === undefined ? undefined : (JSON.parse(row[0]) as T)
  }
  if (kind !== 'comment') return view<{ readonly title: string | null }>(`${kind}s`, id)?.title ?? null
  return view<Card>('cards', view<Comment>('comments', id)?.cardId ?? null)?.title ?? null
}

function nameOf(sql: Sql, p: number): string {
  return sql('SELECT project FROM kbd_projects WHERE p = ?').get<[project: string]>(p)![0]
}
