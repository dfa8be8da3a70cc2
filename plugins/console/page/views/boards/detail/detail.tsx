/** The page of a card, beside the board. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { visible } from '../../../lib/format.ts'
import { useLoad } from '../../../lib/load.ts'
import { at } from '../../../lib/router.ts'
import { loadedSession, local } from '../../../lib/service.ts'
import { now } from '../../../lib/while-visible.ts'
import { Datum } from '../../../parts/datum.tsx'
import { Badge, Empty, Fact, Id } from '../../../parts/parts.tsx'
import { columnsOf, heldClaim } from '../arrange.ts'
import { canWrite, enter } from '../changes/changes.ts'
import { endOf } from '../changes/forms.tsx'
import { Holder, PriorityMark } from '../columns/card.tsx'
import { Conflicts } from '../conflicts/conflicts.tsx'
import type { Card, CardDetail, Project } from '../state.ts'
import { PRIORITIES } from '../words.ts'
import { BodyText } from './body-text.tsx'
import { acquire, force, isOwn, release } from './claims.ts'
import { Comments, Links } from './comments.tsx'
import { EditCard } from './edit-card.tsx'
import { HistoryList } from './history-list.tsx'

/** Shortest time between two reads of the card while commands arrive, in milliseconds. */
const READ_MS = 1_000

/** Shows all parts of a card. */
export function Detail({
  project,
  cardId,
  onClose,
}: {
  readonly project: Project
  readonly cardId: string
  readonly onClose: () => void
}): JSX.Element {
  const card = project.cards[cardId]
  const panel = useRef<HTMLElement>(null)
  const revision = useSlow(project.revision)
  useLayoutEffect(() => panel.current?.focus({ preventScroll: true }), [])
  return (
    <aside ref={panel} class="detail" aria-label="Card" tabIndex={-1} data-scroll="card">
      <div class="detail-top">
        <Id id={cardId} />
        {loadedSession().views.includes('runs') && (
          // An agent reports its run for a card in the thread with the id of the card.
          <a href={at(`/runs?thread=${encodeURIComponent(cardId)}`)}>Its runs</a>
        )}
        <button type="button" class="quiet small" onClick={onClose}>
          Close
        </button>
      </div>
      {card === undefined ? (
        <Empty title="There is no such card">This node may not have received it yet.</Empty>
      ) : (
        <LoadedCard project={project} card={card} revision={revision} />
      )}
    </aside>
  )
}

function LoadedCard({
  project,
  card,
  revision,
}: {
  readonly project: Project
  readonly card: Card
  readonly revision: number
}): JSX.Element {
  const [isEditing, setEditing] = useState(false)
  const { cardId, title, archived } = card
  const path = `/api/v1/kbd/projects/${encodeURIComponent(project.project)}/cards/${encodeURIComponent(cardId)}`
  const read = useLoad((signal) => local<CardDetail>(path, { signal }), { inputs: [path], changes: [revision] })
  const conflicts = Object.values(project.conflicts).filter(
    ({ entity }) => entity.type === 'card' && entity.id === cardId,
  )
  return (
    <>
      {isEditing ? (
        <EditCard card={card} onClose={() => setEditing(false)} />
      ) : (
        <>
          <h2 class="detail-title" dir="auto">
            {visible(title ?? 'Untitled card')}
          </h2>
          {archived === true && <Badge tone="warn">archived</Badge>}
          {/* The actions come before a text of any length. */}
          {canWrite() && <Actions project={project} card={card} onEdit={() => setEditing(true)} />}
        </>
      )}
      {conflicts.length > 0 && (
        <section class="detail-section" aria-label="Conflicts">
          <h3>Conflicts</h3>
          <Conflicts of={conflicts} project={project} />
        </section>
      )}
      <Facts project={project} card={card} />
      {!isEditing && <BodyText hash={card.bodyHash} headingLevel={3} />}
      <Datum of={read} name="links and comments">
        {({ links, comments }) => (
          <>
            <Links links={links} cardId={cardId} project={project} />
            <Comments comments={comments} cardId={cardId} />
          </>
        )}
      </Datum>
      <HistoryList project={project} cardId={cardId} revision={revision} />
    </>
  )
}

function Actions({
  project,
  card,
  onEdit,
}: {
  readonly project: Project
  readonly card: Card
  readonly onEdit: () => void
}): JSX.Element {
  const claim = heldClaim(project, card, now.value)
  const { cardId, archived } = card
  return (
    <div class="detail-actions">
      <button type="button" class="small" onClick={onEdit}>
        Edit
      </button>
      {claim === undefined || isOwn(claim) ? (
        <button type="button" class="small" onClick={() => void acquire(project, card)}>
          {claim === undefined ? 'Claim' : 'Renew the claim'}
        </button>
      ) : (
        <button type="button" class="small" onClick={() => void force(card)}>
          Take over
        </button>
      )}
      {claim !== undefined && isOwn(claim) && (
        <button type="button" class="small" onClick={() => void release(claim)}>
          Release
        </button>
      )}
      <button
        type="button"
        class="small"
        onClick={() => void enter({ type: archived === true ? 'card.restore' : 'card.archive', cardId })}
      >
        {archived === true ? 'Restore' : 'Archive'}
      </button>
    </div>
  )
}

function Facts({ project, card }: { readonly project: Project; readonly card: Card }): JSX.Element {
  const { place, priority, assignee, claim } = card
  const currentClaim = claim === null ? undefined : project.claims[claim]
  return (
    <dl class="facts">
      <Fact name="Column">
        <ColumnFact project={project} card={card} />
      </Fact>
      {project.unplaced.includes(card.cardId) && (
        <Fact name="Place">
          <Badge tone="warn">{place === null ? 'never placed' : 'its board or column is archived or missing'}</Badge>
        </Fact>
      )}
      <Fact name="Priority">
        {priority === null ? (
          <Nothing />
        ) : (
          <span class="detail-priority">
            <PriorityMark priority={priority} /> {PRIORITIES[priority] ?? priority}
          </span>
        )}
      </Fact>
      <Fact name="Assignee">{assignee === null ? <Nothing /> : <span dir="auto">{visible(assignee)}</span>}</Fact>
      <Fact name="Labels">
        <Labels card={card} />
      </Fact>
      <Fact name="Claim">{currentClaim === undefined ? <Nothing>free</Nothing> : <Holder claim={currentClaim} />}</Fact>
    </dl>
  )
}

function Nothing({ children = 'none' }: { readonly children?: ComponentChildren }): JSX.Element {
  return <span class="nothing">{children}</span>
}

function ColumnFact({ project, card }: { readonly project: Project; readonly card: Card }): JSX.Element {
  const { cardId, place } = card
  const all = Object.values(project.boards).filter(({ archived }) => archived !== true)
  const title = project.columns[place?.columnId ?? '']?.title
  if (!canWrite()) return <>{visible(title ?? 'none')}</>
  return (
    <select
      aria-label="Column"
      value={place?.columnId ?? ''}
      onChange={({ currentTarget }) => {
        const column = project.columns[currentTarget.value]
        if (column?.boardId == null) return
        const { columnId, boardId } = column
        void enter({ type: 'card.move', cardId, boardId, columnId, rank: endOf(project, boardId, columnId) })
        currentTarget.value = place?.columnId ?? ''
      }}
    >
      <option value="" disabled>
        none
      </option>
      {all.map((board) => (
        <optgroup key={board.boardId} label={visible(board.title ?? 'Untitled board', 60)}>
          {columnsOf(project, board.boardId).map((column) => (
            <option key={column.columnId} value={column.columnId}>
              {visible(column.title ?? 'Untitled column', 60)}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  )
}

function Labels({ card: { cardId, labels } }: { readonly card: Card }): JSX.Element {
  const [name, setName] = useState('')
  const add = (event: Event): void => {
    event.preventDefault()
    if (name.trim() === '') return
    void enter({ type: 'label.add', cardId, name: name.trim() }).then((isSent) => isSent && setName(''))
  }
  return (
    <div class="detail-labels">
      {labels.length === 0 && !canWrite() && <Nothing />}
      {labels.map((label) => (
        <span key={label} class="label" dir="auto">
          {visible(label)}
          {canWrite() && (
            <button
              type="button"
              aria-label={`Remove the label ${visible(label)}`}
              onClick={() => void enter({ type: 'label.remove', cardId, name: label })}
            >
              ×
            </button>
          )}
        </span>
      ))}
      {canWrite() && (
        <form onSubmit={add}>
          <input
            aria-label="Add a label"
            placeholder="Add a label"
            dir="auto"
            maxLength={64}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </form>
      )}
    </div>
  )
}

/** Follows a number, but changes at most once in `READ_MS`. */
function useSlow(value: number): number {
  const [slow, setSlow] = useState(value)
  const latest = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  latest.current = value
  useEffect(() => {
    if (value !== slow)
      timer.current ??= setTimeout(() => {
        timer.current = undefined
        setSlow(latest.current)
      }, READ_MS)
  }, [value, slow])
  useEffect(() => () => clearTimeout(timer.current), [])
  return slow
}
