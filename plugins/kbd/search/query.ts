/** Reads a search from the query of a request, and writes its words for FTS5. */
import { wrong } from '../../../core/http/query.ts'
import { fail } from '../errors.ts'

/** The kinds of things that are searched. */
export const KINDS = ['board', 'card', 'column', 'comment'] as const

/** A kind of thing that is searched. */
export type SearchKind = (typeof KINDS)[number]

/** A search. */
export interface SearchQuery {
  readonly text: string
  readonly project: string | undefined
  readonly kind: SearchKind | undefined
  /** 1 to 100. */
  readonly limit: number
}

/** Most bytes of UTF-8 of `q`. */
const MAX_TEXT_BYTES = 1_024
const [DEFAULT_LIMIT, MAX_LIMIT] = [20, 100]

/**
 * Reads a search. Throws `search_query_invalid` if `q` is missing, empty or longer than 1 KiB, and `malformed_request`
 * for an unknown kind or an invalid limit.
 */
export function readSearch(param: (name: string) => string | undefined): SearchQuery {
  const text = param('q') ?? ''
  const kind = param('kind')
  const limit = param('limit')
  if (kind !== undefined && !isKind(kind)) throw wrong('kind', `one of ${KINDS.join(', ')}`)
  if (limit !== undefined && (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > MAX_LIMIT))
    throw wrong('limit', `an integer from 1 to ${MAX_LIMIT}`)
  const bytes = new TextEncoder().encode(text).length
  if (bytes === 0 || bytes > MAX_TEXT_BYTES)
    throw fail('search_query_invalid', {
      message: `A search needs a text of 1 to ${MAX_TEXT_BYTES} bytes; this has ${bytes}.`,
    })
  return { text, project: param('project'), kind, limit: limit === undefined ? DEFAULT_LIMIT : Number(limit) }
}

/**
 * The words in the syntax of FTS5: all of them must occur. Each word is quoted, so that no part of it is syntax. If the
 * Unicode tables of the tokenizer unicode61 are older than those of JavaScript, it may split a quoted word, and then
 * its parts must follow each other.
 */
export function toMatch(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(' ')
}

function isKind(text: string): text is SearchKind {
  return KINDS.some((kind) => kind === text)
}
