/** Forms for a new board with its columns, and for a new card. */
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { rankAfter, rankAtEnd } from '../../../../../protocol/ranks.ts'
import { visible } from '../../../lib/format.ts'
import { setQuery } from '../../../lib/router.ts'
import type { ServiceError } from '../../../lib/service.ts'
import { Dialog } from '../../../parts/dialog.tsx'
import { Refusal } from '../../../parts/parts.tsx'
import { arrange, columnsOf } from '../arrange.ts'
import { selected } from '../columns/selection.ts'
import { shownProject } from '../shown-project.ts'
import type { Board, Command, Project } from '../state.ts'
import { PRIORITIES } from '../words.ts'
import { change, changeWithText, refused, sent } from './changes.ts'

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

/** What a form is sent with. */
interface Sending {
  /** Whether the form is hidden: a question about it may be shown meanwhile. */
  readonly isHidden: boolean
  /** Why the form was not sent the last time. */
  readonly error: ServiceError | undefined
  /**
   * Sends the form, and closes it if it was sent, or a part of it. Otherwise it is shown again, with what was typed.
   */
  send(enterIt: () => Promise<boolean>): Promise<boolean>
}

function useSending(onClose: () => void): Sending {
  const [isHidden, setHidden] = useState(false)
  const [error, setError] = useState<ServiceError | undefined>(undefined)
  const send = async (enterIt: () => Promise<boolean>): Promise<boolean> => {
    const before = new Set(sent.peek().map(({ envelope }) => envelope))
    setHidden(true)
    setError(undefined)
    try {
      const isSent = await enterIt()
      const hasEntered = sent.peek().some(({ envelope, outcome }) => outcome === 'sent' && !before.has(envelope))
      // What was entered would be entered again. The page shows it, and why the rest was refused.
      if (isSent || hasEntered) onClose()
      else {
        // The form says it: the page behind the dialog cannot be used.
        setError(refused.peek())
        refused.value = undefined
      }
      return isSent
    } finally {
      setHidden(false)
    }
  }
  return { isHidden, error, send }
}

/** The form that adds a board. */
export function NewBoard({ onClose }: { readonly onClose: () => void }): JSX.Element | null {
  const { isHidden, error, send } = useSending(onClose)
  // The same when the form is sent again, so that a command that was entered without an answer is not entered twice.
  const [boardId] = useState(() => crypto.randomUUID())
  const [title, setTitle] = useState('')
  const [columns, setColumns] = useState('To do, Doing, Done')
  const first = useFirst()
  const submit = (event: Event): void => {
    event.preventDefault()
    void send(() => change(() => boardCommands(boardId, title.trim(), namesIn(columns)))).then((isSent) => {
      if (isSent) setQuery('board', boardId)
    })
  }
  if (isHidden) return null
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
        {error !== undefined && <Refusal error={error} />}
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
}): JSX.Element | null {
  const { isHidden, error, send } = useSending(onClose)
  const columns = columnsOf(project, boardId)
  const selectedColumn = project.cards[selected.peek()?.cardId ?? '']?.place?.columnId
  const [columnId, setColumn] = useState(
    columns.find((column) => column.columnId === selectedColumn)?.columnId ?? columns[0]?.columnId ?? '',
  )
  // The same when the form is sent again, as that of a new board.
  const [cardId] = useState(() => crypto.randomUUID())
  const [title, setTitle] = useState('')
  const [text, setText] = useState('')
  const [labels, setLabels] = useState('')
  const [priority, setPriority] = useState('')
  const [assignee, setAssignee] = useState('')
  const first = useFirst()
  const submit = (event: Event): void => {
    event.preventDefault()
    const make = (bodyHash: string | null): readonly Command[] => [
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
    ]
    void send(() => changeWithText(text, make)).then((isSent) => {
      if (isSent) selected.value = { cardId, takesFocus: true }
    })
  }
  if (isHidden) return null
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
        {error !== undefined && <Refusal error={error} />}
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
