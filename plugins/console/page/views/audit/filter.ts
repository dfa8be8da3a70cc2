/** The filter of the entries that are shown. */
import type { AuditEntry } from './chain.ts'

/** The kinds of entries, in the order of the list of choices. */
export const KINDS: readonly string[] = [
  'command',
  'claim',
  'resolution',
  'push',
  'peer',
  'enrolment',
  'revocation',
  'refusal',
  'fork',
]

/** The choices of the reader. An empty text means no restriction. */
export interface Filter {
  readonly kind: string
  readonly project: string
  readonly actor: string
  /** `ok`, `refused` for every other outcome, or empty. */
  readonly outcome: string
  /** Words that must all occur in the members of an entry. */
  readonly search: string
}

/** The filter without a restriction. */
export const NO_FILTER: Filter = { kind: '', project: '', actor: '', outcome: '', search: '' }

/** Whether a filter has a restriction. */
export function isNarrow(filter: Filter): boolean {
  return Object.values(filter).some((value: string) => value.trim() !== '')
}

/** The entries that match a filter, in their order. `wordsOf` describes an entry, for the search. */
export function filtered(
  entries: readonly AuditEntry[],
  filter: Filter,
  wordsOf: (entry: AuditEntry) => string = () => '',
): readonly AuditEntry[] {
  if (!isNarrow(filter)) return entries
  const words = filter.search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return entries.filter(
    (entry) => hasValues(entry, filter) && (words.length === 0 || hasWords(entry, words, wordsOf(entry))),
  )
}

function hasValues({ kind, project, actor, outcome }: AuditEntry, filter: Filter): boolean {
  if (filter.kind !== '' && kind !== filter.kind) return false
  if (filter.project !== '' && project !== filter.project) return false
  if (filter.actor !== '' && actor !== filter.actor) return false
  return filter.outcome === '' || (filter.outcome === 'ok') === (outcome === 'ok')
}

function hasWords(
  { seq, kind, project, subject, actor, outcome, hash }: AuditEntry,
  words: readonly string[],
  described: string,
): boolean {
  const text = `${described} ${seq} ${kind} ${project ?? ''} ${subject ?? ''} ${actor} ${outcome} ${hash}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

/** The values of a member in the entries, the most frequent first, and at most `limit` of them. */
export function valuesOf(entries: readonly AuditEntry[], member: 'project' | 'actor', limit = 100): readonly string[] {
  const counts = new Map<string, number>()
  for (const entry of entries) {
    const value = entry[member]
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts]
    .sort(([a, countOfA], [b, countOfB]) => countOfB - countOfA || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([value]) => value)
}
