/** One entry in the list. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { clockTime, count, fullTime, visible } from '../../lib/format.ts'
import type { AuditEntry, Break } from './chain.ts'
import type { EntryWords } from './entry-words.ts'

/** The height of a row on a wide and on a narrow page, in pixels. */
const WIDE_ROW = 40
const NARROW_ROW = 64
const NARROW = '(max-width: 760px)'

/** The height of rows at the present width of the page, in pixels. */
export function useRowHeight(): number {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches)
  useEffect(() => {
    const query = matchMedia(NARROW)
    const follow = (): void => setNarrow(query.matches)
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [])
  return isNarrow ? NARROW_ROW : WIDE_ROW
}

/** What is wrong with an entry. */
export const BREAK_LABELS: Readonly<Record<Break['why'], string>> = {
  changed: 'not as it was written',
  missing: 'entries before it are missing',
}

/** Shows an entry as a button that opens the entry. */
export function EntryRow({
  entry,
  words,
  why,
  isSought,
  onOpen,
}: {
  readonly entry: AuditEntry
  readonly words: EntryWords
  readonly why: Break['why'] | undefined
  readonly isSought: boolean
  readonly onOpen: (entry: AuditEntry) => void
}): JSX.Element {
  const { seq, atMs, kind, project, subject, actor, outcome } = entry
  const state = `${why === undefined ? '' : ' audit-broken'}${isSought ? ' audit-sought' : ''}`
  return (
    <button type="button" class={`audit-row${state}`} onClick={() => onOpen(entry)}>
      <span class="audit-seq">{count(seq)}</span>
      <time dateTime={isoOf(atMs)} title={fullTime(atMs)}>
        {dayAndTime(atMs)}
      </time>
      <span
        class={`audit-kind audit-kind-${kind === 'refusal' || kind === 'revocation' || kind === 'fork' ? 'loud' : 'plain'}`}
      >
        {short(kind)}
      </span>
      <span class="audit-project">{project === null ? '–' : short(project)}</span>
      <span class="audit-subject" dir="auto" title={subject === null ? undefined : visible(subject, 200)}>
        {short(words.what)}
      </span>
      <span class="audit-actor" dir="auto" title={visible(actor, 200)}>
        {short(words.who)}
      </span>
      <span class={`audit-outcome${outcome === 'ok' ? '' : ' audit-refused'}`}>
        {why === undefined ? short(outcome) : BREAK_LABELS[why]}
      </span>
    </button>
  )
}

/** The beginning of a text for a column. The column cuts off the rest of a long text. */
function short(text: string): string {
  return visible(text, 120)
}

/** The time of day, with the date if it is not today. */
function dayAndTime(atMs: number): string {
  const time = new Date(atMs)
  const isToday = time.toDateString() === new Date().toDateString()
  return isToday
    ? clockTime(atMs)
    : `${time.toLocaleDateString(undefined, { dateStyle: 'medium' })} ${clockTime(atMs).slice(0, 5)}`
}

/**
 * Returns undefined for a time outside the range of `Date`. Only a changed entry has such a time, and the list must
 * show it.
 */
function isoOf(atMs: number): string | undefined {
  return Math.abs(atMs) <= 8.64e15 ? new Date(atMs).toISOString() : undefined
}
