/** Changes the title, text, priority and assignee of a card by one command, which has only the changed members. */
import type { JSX } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { visible } from '../../../lib/format.ts'
import { useLoad } from '../../../lib/load.ts'
import { changeWithText } from '../changes/changes.ts'
import { PriorityField } from '../changes/forms.tsx'
import type { Card, Command } from '../state.ts'
import { readText } from '../texts.ts'

/** The values of the form. */
export interface CardValues {
  readonly title: string
  readonly bodyHash: string | null
  readonly priority: number | null
  readonly assignee: string | null
}

/** The command for the values that differ from the card in the form. Returns undefined if no value differs. */
function updateCommand(card: Card, next: CardValues): Command | undefined {
  const changed = {
    ...(next.title !== card.title && { title: next.title }),
    ...(next.bodyHash !== card.bodyHash && { bodyHash: next.bodyHash }),
    ...(next.priority !== card.priority && { priority: next.priority }),
    ...(next.assignee !== card.assignee && { assignee: next.assignee }),
  }
  return Object.keys(changed).length === 0 ? undefined : { type: 'card.update', cardId: card.cardId, ...changed }
}

/** Shows the form after the text has been read. */
export function EditCard({ card, onClose }: { readonly card: Card; readonly onClose: () => void }): JSX.Element {
  const { bodyHash } = card
  const { data, error } = useLoad(async (signal) =>
    bodyHash === null ? { text: '' } : { text: (await readText(bodyHash, signal)).text },
  )
  if (data === undefined) return <p class="nothing">{error === undefined ? 'Reading…' : visible(error.message)}</p>
  return <Form card={card} before={data.text} onClose={onClose} />
}

function Form({
  card: present,
  before,
  onClose,
}: {
  readonly card: Card
  /** Undefined if this node does not have the text: it stays as it is. */
  readonly before: string | undefined
  readonly onClose: () => void
}): JSX.Element {
  // The form keeps the card as it was, so that a change by another device is not part of the command.
  const [card] = useState(present)
  const [title, setTitle] = useState(card.title ?? '')
  const [text, setText] = useState(before)
  const [priority, setPriority] = useState(card.priority === null ? '' : String(card.priority))
  const [assignee, setAssignee] = useState(card.assignee ?? '')
  const first = useRef<HTMLTextAreaElement>(null)
  // Before the form is painted: later, the focus would leave the field that a fast user is in.
  useLayoutEffect(() => first.current?.focus(), [])
  const submit = (event: Event): void => {
    event.preventDefault()
    void changeWithText(text === before || text === undefined ? '' : text, (hash) => {
      const command = updateCommand(card, {
        title: title.trim(),
        bodyHash: text === before ? card.bodyHash : hash,
        priority: priority === '' ? null : Number(priority),
        assignee: assignee.trim() === '' ? null : assignee.trim(),
      })
      return command === undefined ? [] : [command]
    }).then((isSent) => isSent && onClose())
  }
  return (
    <form
      class="edit-card"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <label>
        Title
        <textarea
          ref={first}
          rows={2}
          dir="auto"
          required
          value={title}
          onInput={({ currentTarget }) => setTitle(currentTarget.value.replaceAll('\n', ' '))}
        />
      </label>
      <label>
        Text
        <textarea
          dir="auto"
          rows={8}
          disabled={text === undefined}
          value={text ?? 'This node does not have the text. Saving leaves it as it is.'}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <div class="form-row">
        <PriorityField value={priority} onChoose={setPriority} />
        <label>
          Assignee
          <input
            dir="auto"
            maxLength={85}
            value={assignee}
            onInput={({ currentTarget }) => setAssignee(currentTarget.value)}
          />
        </label>
      </div>
      <div class="detail-actions">
        <button type="submit" class="primary small" disabled={title.trim() === ''}>
          Save
        </button>
        <button type="button" class="small" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  )
}
