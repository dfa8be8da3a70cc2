/** One conflict: its candidates side by side, each text as a difference to the shown one, and a value of the reader. */
import { diffArrays } from 'diff'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { visible } from '../../../lib/format.ts'
import { useLoad } from '../../../lib/load.ts'
import { Ago, Badge } from '../../../parts/parts.tsx'
import { canWrite } from '../changes/changes.ts'
import { nameOf } from '../names.ts'
import type { Command, Conflict, Project } from '../state.ts'
import { readText } from '../texts.ts'
import { aboutOf, valueWords } from '../words.ts'
import { hasOwnValue, OwnValue } from './own-value.tsx'

/** The value that the reader has chosen for a conflict. */
export type Choice = Extract<Command, { type: 'conflict.resolve' }>['choose']

/** Number of characters of a value that are shown. */
const MAX_VALUE = 600
/** Longest text that is compared, in characters. */
const MAX_COMPARED = 20_000

/** Shows the candidates of a conflict. */
export function ConflictBox({
  conflict,
  project,
  choice,
  onChoose,
}: {
  readonly conflict: Conflict
  readonly project: Project
  readonly choice: Choice | undefined
  readonly onChoose: (choice: Choice) => void
}): JSX.Element {
  const { kind, register, candidates, shown } = conflict
  const isChosen = (id: string): boolean => choice !== undefined && 'id' in choice && choice.id === id
  return (
    <section class="conflict">
      <h4>
        <Badge tone="warn">{visible(kind === 'archive_edit' ? 'archived and edited' : aboutOf(register))}</Badge>
      </h4>
      <ul class="candidates">
        {candidates.map(({ id, deviceId, issuedAtMs, value }) => (
          <li key={id} class={id === shown ? 'candidate-shown' : undefined}>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: axe requires it: scrollable-region-focusable. */}
            <p class="candidate-value" dir="auto" tabIndex={0}>
              <Value conflict={conflict} value={value} project={project} />
            </p>
            <p class="candidate-who">
              <span dir="auto">{visible(nameOf(deviceId))}</span>, <Ago timeMs={issuedAtMs} />
              {id === shown && ' · shown now'}
            </p>
            {canWrite() && kind !== 'claim' && (
              <button type="button" class="small" aria-pressed={isChosen(id)} onClick={() => onChoose({ id })}>
                Keep this one
              </button>
            )}
          </li>
        ))}
      </ul>
      {canWrite() && hasOwnValue(conflict) && (
        <OwnValue
          conflict={conflict}
          project={project}
          isChosen={choice !== undefined && 'value' in choice}
          onChoose={(value) => onChoose({ value })}
        />
      )}
      {kind === 'claim' && <p class="conflict-note">The next claim command of the card resolves this conflict.</p>}
    </section>
  )
}

/** The value of a candidate. Of a text, the words are marked that the candidate beside it does not have. */
function Value({
  conflict,
  value,
  project,
}: {
  readonly conflict: Conflict
  readonly value: unknown
  readonly project: Project
}): JSX.Element {
  const { register, candidates, shown } = conflict
  // The shown value is compared with the first other one, and every other value with the shown one.
  const present = candidates.find(({ id }) => id === shown)?.value
  const other = value === present ? candidates.find((candidate) => candidate.value !== present)?.value : present
  if (register.endsWith('/bodyHash') && typeof value === 'string')
    return <StoredDifference hash={value} other={typeof other === 'string' ? other : undefined} />
  if (register.endsWith('/title') && typeof value === 'string' && typeof other === 'string')
    return <TextDifference text={value} other={other} />
  return <>{visible(valueWords(conflict, value, project), MAX_VALUE)}</>
}

/** A stored text, as a difference to the text with the hash `other`. */
function StoredDifference({ hash, other }: { readonly hash: string; readonly other: string | undefined }): JSX.Element {
  const { data, error } = useLoad(
    (signal) => Promise.all([readText(hash, signal), other === undefined ? undefined : readText(other, signal)]),
    { inputs: [hash, other] },
  )
  if (error !== undefined) return <>{visible(error.message)}</>
  if (data === undefined) return <>…</>
  const [body, otherBody] = data
  if (body.text === undefined) return <>The text is not on this node.</>
  if (otherBody?.text === undefined || Math.max(body.text.length, otherBody.text.length) > MAX_COMPARED)
    return <>{visible(body.text, MAX_VALUE)}</>
  return <TextDifference text={body.text} other={otherBody.text} />
}

/** Longest time for the comparison, in milliseconds. A text that needs longer is shown without marks. */
const MAX_MS = 100

/** Shows a text, with the words marked that `other` does not have at that place. */
function TextDifference({ text, other }: { readonly text: string; readonly other: string }): JSX.Element {
  const parts = useMemo(() => diffArrays(wordsIn(other), wordsIn(text), { timeout: MAX_MS }), [text, other])
  if (parts === undefined) return <>{visible(text)}</>
  return (
    <>
      {parts.map(({ value, added, removed }, index) => {
        if (removed) return null
        const shown = visible(value.join(''))
        return added ? <mark key={index}>{shown}</mark> : shown
      })}
    </>
  )
}

/** The words of a text and what is between them: by the rules of Unicode, so that no character is split. */
function wordsIn(text: string): string[] {
  return [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)].map(({ segment }) => segment)
}
