/** Forms for a new board with its columns, and for a new card. */
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { rankAfter, rankAtEnd } from '../../../../../protocol/ranks.ts'
import { visible } from '../../../lib/format.ts'
import { setQuery } from '../../../lib/router.ts'
import { Dialog } from '../../../parts/dialog.tsx'
import { arrange, columnsOf } from '../arrange.ts'
import { selected } from '../columns/selection.ts'
import { shownProject } from '../follow.ts'
import type { Board, Command, Project } from '../state.ts'
import { PRIORITIES } from '../words.ts'
import { change, changeWithText } from './changes.ts'

/** Focuses the first field of a form. */
function useFirst(): { readonly current: HTMLInputElement | null } {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return field
}

/** The commands that create a board with columns. */
function boardCommands(boardId: string, title: string, columns: readonly string[]): readonly Command[] {
  let rank: string | undefined
  const rest = columns.map((name): Command => {
    rank = rankAfter(rank)
    return { type: 'column.create', columnId: crypto.randomUUID(), boardId, title: name, rank }
  })
  return [{ type: 'board.create', boardId, title }, ...rest]
}

/** The names in a text, separated by commas. */
function namesIn(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** The form that adds a board. */
export function NewBoard({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const [title, setTitle] = useState('')
  const [columns, setColumns] = useState('To do, Doing, Done')
  const first = useFirst()
  const submit = (event: Event): void => {
    event.preventDefault()
    const boardId = crypto.randomUUID()
    onClose()
    void change(() => boardCommands(boardId, title.trim(), namesIn(columns))).then((isSent) => {
      if (isSent) setQuery('board', boardId)
    })
  }
  return (
    <Dialog title="New board" onClose={onClose}>
      <form onSubmit={submit}>
        <label>
          Title
          <input
            ref={first}
            dir="auto"
            required
            maxLength={340}
            value={title}
            onInput={({ currentTarget }) => setTitle(currentTarget.value)}
          />
        </label>
        <label>
          Columns, separated by commas
          <input dir="auto" required value={columns} onInput={({ currentTarget }) => setColumns(currentTarget.value)} />
        </label>
        <footer>
          <button type="submit" class="primary" disabled={title.trim() === ''}>
            Add the board
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

/**
 * The form that adds a card to a column of the board: by default the column of the selected card, or else the first
 * column.
 */
export function NewCard({
  project,
  board: { boardId },
  onClose,
}: {
  readonly project: Project
  readonly board: Board
  readonly onClose: () => void
}): JSX.Element {
  const columns = columnsOf(project, boardId)
  const selectedColumn = project.cards[selected.peek()?.cardId ?? '']?.place?.columnId
  const [columnId, setColumn] = useState(
    columns.find((column) => column.columnId === selectedColumn)?.columnId ?? columns[0]?.columnId ?? '',
  )
  const [title, setTitle] = useState('')
  const [text, setText] = useState('')
  const [labels, setLabels] = useState('')
  const [priority, setPriority] = useState('')
  const [assignee, setAssignee] = useState('')
  const first = useFirst()
  const submit = (event: Event): void => {
    event.preventDefault()
    const cardId = crypto.randomUUID()
    onClose()
    void changeWithText(text, (bodyHash) => [
      {
        type: 'card.create',
        cardId,
        boardId,
        columnId,
        rank: endOf(shownProject.peek() ?? project, boardId, columnId),
        title: title.trim(),
        ...(bodyHash !== null && { bodyHash }),
        ...(priority !== '' && { priority: Number(priority) }),
        ...(assignee.trim() !== '' && { assignee: assignee.trim() }),
      },
      ...namesIn(labels).map((name): Command => ({ type: 'label.add', cardId, name })),
    ]).then((isSent) => {
      if (isSent) selected.value = { cardId, takesFocus: true }
    })
  }
  return (
    <Dialog title="New card" onClose={onClose}>
      <form onSubmit={submit}>
        <label>
          Title
          <input
            ref={first}
            dir="auto"
            required
            maxLength={340}
            value={title}
            onInput={({ currentTarget }) => setTitle(currentTarget.value)}
          />
        </label>
        <label>
          Text
          <textarea dir="auto" rows={4} value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
        </label>
        <div class="form-row">
          <label>
            Column
            <select value={columnId} onChange={({ currentTarget }) => setColumn(currentTarget.value)}>
              {columns.map((column) => (
                <option key={column.columnId} value={column.columnId}>
                  {visible(column.title ?? 'Untitled column', 60)}
                </option>
              ))}
            </select>
          </label>
          <PriorityField value={priority} onChoose={setPriority} />
        </div>
        <div class="form-row">
          <label>
            Labels
            <input
              dir="auto"
              value={labels}
              placeholder="docs, ui"
              onInput={({ currentTarget }) => setLabels(currentTarget.value)}
            />
          </label>
          <label>
            Assignee
            <input
              dir="auto"
              value={assignee}
              maxLength={85}
              onInput={({ currentTarget }) => setAssignee(currentTarget.value)}
            />
          </label>
        </div>
        <footer>
          <button type="submit" class="primary" disabled={title.trim() === '' || columnId === ''}>
            Add the card
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

/** A field for a priority. An empty value means no priority. */
export function PriorityField({
  value,
  onChoose,
}: {
  readonly value: string
  readonly onChoose: (value: string) => void
}): JSX.Element {
  return (
    <label>
      Priority
      <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        <option value="">none</option>
        {PRIORITIES.map((name, priority) => (
          <option key={name} value={String(priority)}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** A rank at the end of a column. */
export function endOf(project: Project, boardId: string, columnId: string): string {
  const lane = arrange(project, boardId).find(({ column }) => column.columnId === columnId)
  return rankAtEnd((lane?.cards ?? []).flatMap(({ place }) => place?.rank ?? []))
}
