/** What of the chain is shown. */
import type { AuditEntry } from './chain.ts'

/** Kinds of entries, in the order in which they are offered. */
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

/** The choices of the reader; an empty text chooses all. */
export interface Filter {
  readonly kind: string
  readonly project: string
  readonly actor: string
  /** `ok`, `refused` for every other outcome, or empty. */
  readonly outcome: string
  /** Words that all have to occur, in any member. */
  readonly search: string
}

/** Chooses all. */
export const NO_FILTER: Filter = { kind: '', project: '', actor: '', outcome: '', search: '' }

/** Whether a filter chooses anything at all. */
export function isNarrow(filter: Filter): boolean {
  return Object.values(filter).some((value: string) => value.trim() !== '')
}

/** The entries that a filter lets through, in their order. */
export function filtered(entries: readonly AuditEntry[], filter: Filter): readonly AuditEntry[] {
  if (!isNarrow(filter)) return entries
  const words = filter.search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return entries.filter((entry) => fits(entry, filter) && (words.length === 0 || holds(entry, words)))
}

function fits({ kind, project, actor, outcome }: AuditEntry, filter: Filter): boolean {
  if (filter.kind !== '' && kind !== filter.kind) return false
  if (filter.project !== '' && project !== filter.project) return false
  if (filter.actor !== '' && actor !== filter.actor) return false
  return filter.outcome === '' || (filter.outcome === 'ok') === (outcome === 'ok')
}

function holds({ seq, kind, project, subject, actor, outcome, hash }: AuditEntry, words: readonly string[]): boolean {
  const text = `${seq} ${kind} ${project ?? ''} ${subject ?? ''} ${actor} ${outcome} ${hash}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

/** Values of a member that occur, the most frequent first, at most `limit`. */
export function valuesOf(entries: readonly AuditEntry[], member: 'project' | 'actor', limit = 100): readonly string[] {
  const counts = new Map<string, number>()
  for (const entry of entries) {
    const value = entry[member]
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts]
    .sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([value]) => value)
}
