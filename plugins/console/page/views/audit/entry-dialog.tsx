/** All members of an entry, with the hash that the page computes. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { count, visible } from '../../lib/format.ts'
import { at } from '../../lib/router.ts'
import { localCurl } from '../../lib/shell-commands.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Badge, Copy, Fact } from '../../parts/parts.tsx'
import { type AuditEntry, type Break, hashOf, START } from './chain.ts'
import type { EntryWords } from './entry-words.ts'
import { BREAK_LABELS } from './row.tsx'

/** Number of characters of a member that are shown. */
const MAX_TEXT = 600

/** A dialog. */
export function EntryDialog({
  entry,
  words: { what, who, type, link },
  entries,
  why,
  onClose,
}: {
  readonly entry: AuditEntry
  readonly words: EntryWords
  readonly entries: readonly AuditEntry[]
  readonly why: Break['why'] | undefined
  readonly onClose: () => void
}): JSX.Element {
  const { seq, atMs, kind, project, subject, actor, outcome, hash } = entry
  const before = seq === 1 ? START : entries.find((candidate) => candidate.seq === seq - 1)
  const computed = useHash(before?.hash, entry)
  const isHashCorrect = computed === undefined ? undefined : computed === hash
  return (
    <Dialog title={`Entry ${count(seq)}`} onClose={onClose} isWide>
      <p>
        {isHashCorrect === undefined && <Badge>the previous entry is not loaded</Badge>}
        {isHashCorrect === true && <Badge tone="ok">hash verified</Badge>}
        {isHashCorrect === false && <Badge tone="bad">{BREAK_LABELS[why ?? 'changed']}</Badge>}
      </p>
      <p class="audit-what">
        <strong dir="auto">{visible(what, MAX_TEXT)}</strong>, by <span dir="auto">{visible(who, MAX_TEXT)}.</span>{' '}
        {link !== undefined && <a href={at(link.to)}>{link.title}</a>}
      </p>
      <dl class="facts">
        {type !== undefined && <Text name="Command" text={type} />}
        <Text name="Time" text={Math.abs(atMs) <= 8.64e15 ? new Date(atMs).toISOString() : String(atMs)} />
        <Text name="Kind" text={kind} />
        <Text name="Project" text={project ?? 'none'} />
        <Text name="Subject" text={subject ?? 'none'} />
        <Text name="Actor" text={actor} />
        <Text name="Outcome" text={outcome} />
        <Text name="Hash" text={hash} />
        {computed !== undefined && computed !== hash && <Text name="Computed hash" text={computed} />}
        {before !== undefined && <Text name="Previous hash" text={before.hash} />}
      </dl>
      <footer>
        <Copy text={() => JSON.stringify(entry, null, 2)} label="Copy as JSON" />
        <Copy text={() => localCurl(`/api/v1/audit?after=${seq - 1}&limit=1`)} label="Copy as curl" />
      </footer>
    </Dialog>
  )
}

function useHash(before: string | undefined, entry: AuditEntry): string | undefined {
  const [hash, setHash] = useState<string | undefined>(undefined)
  useEffect(() => {
    let isShown = true
    setHash(undefined)
    if (before !== undefined)
      void hashOf(before, entry).then(
        (hash) => isShown && setHash(hash),
        () => isShown && setHash('none: the entry has no canonical form'),
      )
    return () => {
      isShown = false
    }
  }, [before, entry])
  return hash
}

function Text({ name, text }: { readonly name: string; readonly text: string }): JSX.Element {
  return (
    <Fact name={name}>
      <code class="wrap">{visible(text, MAX_TEXT)}</code>
    </Fact>
  )
}
