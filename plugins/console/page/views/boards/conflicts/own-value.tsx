/** A value of the reader in the place of the candidates of a conflict. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { visible } from '../../../lib/format.ts'
import { ServiceError } from '../../../lib/service.ts'
import { boardsOf, columnsOf } from '../arrange.ts'
import { refused, storeText } from '../changes/changes.ts'
import { endOf, PriorityField } from '../changes/forms.tsx'
import type { Conflict, Project } from '../state.ts'
import { readText } from '../texts.ts'
import { aboutOf } from '../words.ts'

/** The kinds of fields, by the name of the register. */
const FIELDS: Readonly<Record<string, 'line' | 'text' | 'priority' | 'place'>> = {
  title: 'line',
  assignee: 'line',
  bodyHash: 'text',
  priority: 'priority',
  place: 'place',
}

/** Whether the reader can give a value of his own. */
export function hasOwnValue({ kind, register }: Conflict): boolean {
  return kind !== 'claim' && kind !== 'archive_edit' && fieldOf(register) !== undefined
}

function fieldOf(register: string): (typeof FIELDS)[string] | undefined {
  const name = register.split('/')[2] ?? ''
  return Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
}

/** A button that opens the field, and the field with the shown value. */
export function OwnValue({
  conflict,
  project,
  isChosen,
  onChoose,
}: {
  readonly conflict: Conflict
  readonly project: Project
  readonly isChosen: boolean
  readonly onChoose: (value: unknown) => void
}): JSX.Element {
  const { register, candidates, shown } = conflict
  const field = fieldOf(register)
  const present = candidates.find(({ id }) => id === shown)?.value
  const [text, setText] = useState<string | undefined>(undefined)
  const open = (): Promise<void> => orRefused(async () => setText(await startOf(field, present)))
  if (text === undefined)
    return (
      <button type="button" class="small" onClick={() => void open()}>
        Another value
      </button>
    )
  const submit = (event: Event): void => {
    event.preventDefault()
    void orRefused(async () => onChoose(await fieldValue(field, text, project)))
  }
  return (
    <form class="own-value" onSubmit={submit}>
      <Field field={field} label={`Another ${aboutOf(register)}`} text={text} onText={setText} project={project} />
      <button
        type="submit"
        class="small"
        aria-pressed={isChosen}
        disabled={field === 'line' && isEmptyTitle(register, text)}
      >
        Use this value
      </button>
    </form>
  )
}

/** The page shows an error of the service. */
async function orRefused(run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    refused.value = error
  }
}

/** A title cannot be empty, while no assignee is a value. */
function isEmptyTitle(register: string, text: string): boolean {
  return register.endsWith('/title') && text.trim() === ''
}

function Field({
  field,
  label,
  text,
  onText,
  project,
}: {
  readonly field: ReturnType<typeof fieldOf>
  readonly label: string
  readonly text: string
  readonly onText: (text: string) => void
  readonly project: Project
}): JSX.Element {
  if (field === 'priority') return <PriorityField value={text} onChoose={onText} />
  if (field === 'place')
    return (
      <label>
        {label}
        <select value={text} onChange={({ currentTarget }) => onText(currentTarget.value)}>
          {boardsOf(project).map((board) => (
            <optgroup key={board.boardId} label={visible(board.title ?? 'Untitled board', 60)}>
              {columnsOf(project, board.boardId).map(({ columnId, title }) => (
                <option key={columnId} value={columnId}>
                  {visible(title ?? 'Untitled column', 60)}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
    )
  if (field === 'text')
    return (
      <label>
        {label}
        <textarea dir="auto" rows={6} value={text} onInput={({ currentTarget }) => onText(currentTarget.value)} />
      </label>
    )
  return (
    <label>
      {label}
      <input dir="auto" maxLength={340} value={text} onInput={({ currentTarget }) => onText(currentTarget.value)} />
    </label>
  )
}

async function presentText(hash: string): Promise<string> {
  const { text } = await readText(hash, new AbortController().signal)
  if (text === undefined) throw new ServiceError(404, 'no_text', 'This node does not have the text.')
  return text
}

/** The shown value as a text for the field. Rejects with a `ServiceError` if a text cannot be read. */
async function startOf(field: ReturnType<typeof fieldOf>, present: unknown): Promise<string> {
  if (field === 'text') return typeof present === 'string' ? presentText(present) : ''
  if (field === 'place')
    return typeof present === 'object' && present !== null && 'columnId' in present ? String(present.columnId) : ''
  return present === null || present === undefined ? '' : String(present)
}

/** The value of a field, as the register has it. Rejects with a `ServiceError` if a text cannot be stored. */
async function fieldValue(field: ReturnType<typeof fieldOf>, text: string, project: Project): Promise<unknown> {
  if (field === 'text') return storeText(text)
  if (field === 'priority') return text === '' ? null : Number(text)
  if (field === 'place') {
    const { columnId = text, boardId = null } = project.columns[text] ?? {}
    return { boardId, columnId, rank: endOf(project, boardId ?? '', columnId) }
  }
  return text.trim() === '' ? null : text.trim()
}
