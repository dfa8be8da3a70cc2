/** What a search asks for, read from the query of a request; and its words as FTS5 is given them. */
import { wrong } from '../api/query.ts'
import { fail } from '../errors.ts'

/** What is searched. */
export const KINDS = ['board', 'card', 'column', 'comment'] as const

/** A kind of thing that is found. */
export type SearchKind = (typeof KINDS)[number]

/** A search. */
export interface SearchQuery {
  readonly text: string
  readonly project: string | undefined
  readonly kind: SearchKind | undefined
  /** 1 to 100. */
  readonly limit: number
}

/** Bytes of UTF-8 that `q` may have. */
const MAX_TEXT_BYTES = 1_024
const [DEFAULT_LIMIT, MAX_LIMIT] = [20, 100]

/**
 * Reads a search. Throws `search_query_invalid` where `q` is missing, empty or longer than 1 KiB, `malformed_request` for
 * an unknown kind and a limit that is none.
 */
export function readSearch(param: (name: string) => string | undefined): SearchQuery {
  const text = param('q') ?? ''
  const kind = param('kind')
  const limit = param('limit')
  if (kind !== undefined && !isKind(kind)) throw wrong('kind')
  if (limit !== undefined && (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > MAX_LIMIT)) throw wrong('limit')
  if (text === '' || new TextEncoder().encode(text).length > MAX_TEXT_BYTES) throw fail('search_query_invalid')
  return { text, project: param('project'), kind, limit: limit === undefined ? DEFAULT_LIMIT : Number(limit) }
}

/**
 * Words as FTS5 is asked for them, each quoted, so that nothing of it is syntax: side by side all of them must occur. What
 * counts as one is what unicode61 counts; where its tables are older than ours, a quoted word that it takes for several is
 * several that follow each other.
 */
export function toMatch(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(' ')
}

function isKind(text: string): text is SearchKind {
  return KINDS.some((kind) => kind === text)
}
