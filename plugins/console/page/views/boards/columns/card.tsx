/** A card on a board. */
import type { JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { isAhead } from '../../../../../protocol/claim-at.ts'
import { visible } from '../../../lib/format.ts'
import { at, query } from '../../../lib/router.ts'
import { now } from '../../../lib/while-visible.ts'
import type { Lane } from '../arrange.ts'
import { timeLeft } from '../arrange.ts'
import { canWrite } from '../changes/changes.ts'
import { nameOf } from '../names.ts'
import { shownProject } from '../shown-project.ts'
import type { Card, Claim } from '../state.ts'
import { PRIORITIES } from '../words.ts'
import { drop, pressCard } from './drag.ts'
import { hasMeta, linesOf } from './heights.ts'
import { selected } from './selection.ts'

/** Number of labels that are shown. The others are only counted. */
const MAX_LABELS = 2
/** Number of characters of a title in the document. The page of the card shows the whole title. */
const MAX_TITLE = 200

/** A card as a link to its page. The card can be dragged. */
export function CardLink({
  card,
  claim,
  conflicts,
  isSelected,
  takesFocus,
  lanesOf,
  onPut,
}: {
  readonly card: Card
  readonly claim: Claim | undefined
  readonly conflicts: number
  readonly isSelected: boolean
  readonly takesFocus: boolean
  readonly lanesOf: () => readonly Lane[]
  readonly onPut: (card: Card, lane: Lane, others: readonly Card[], index: number) => void
}): JSX.Element {
  const link = useRef<HTMLAnchorElement>(null)
  useLayoutEffect(() => {
    if (takesFocus) link.current?.focus({ preventScroll: true })
  }, [takesFocus, card])
  const isDragged = drop.value?.cardId === card.cardId
  const title = card.title ?? 'Untitled card'
  return (
    <a
      ref={link}
      class={`card card-lines-${linesOf(title)}${isSelected ? ' card-selected' : ''}${isDragged ? ' card-dragged' : ''}`}
      href={hrefOf(card.cardId)}
      data-card={card.cardId}
      draggable={false}
      aria-current={isSelected ? 'true' : undefined}
      onFocus={() => {
        if (selected.peek()?.cardId !== card.cardId) selected.value = { cardId: card.cardId, takesFocus: false }
      }}
      onPointerDown={(event) => {
        if (canWrite()) pressCard(event, card, lanesOf, onPut)
      }}
    >
      <span class="card-title" dir="auto">
        {visible(title, MAX_TITLE)}
      </span>
      {hasMeta(card) && <Meta card={card} />}
      {claim !== undefined && <Holder claim={claim} />}
      {conflicts > 0 && (
        <span class="card-conflict" title="Values of this card are in conflict">
          <span class="unseen">In conflict</span>
        </span>
      )}
    </a>
  )
}

/** The address of a card on the shown board, with the filters of the reader. */
export function hrefOf(cardId: string): string {
  const next = new URLSearchParams(query.value)
  next.set('card', cardId)
  return at(`/boards/${encodeURIComponent(shownProject.peek()?.project ?? '')}?${next}`)
}

function Meta({ card: { labels, priority, assignee } }: { readonly card: Card }): JSX.Element {
  return (
    <span class="card-meta">
      {priority !== null && <PriorityMark priority={priority} />}
      {labels.slice(0, MAX_LABELS).map((name) => (
        <span key={name} class="label" dir="auto">
          {visible(name)}
        </span>
      ))}
      {labels.length > MAX_LABELS && <span class="card-more">+{labels.length - MAX_LABELS}</span>}
      {assignee !== null && (
        <span class="card-assignee" dir="auto" title={`Assigned to ${visible(assignee)}`}>
          {visible(assignee, 40)}
        </span>
      )}
    </span>
  )
}

/** Shows a priority as bars. More bars are more urgent. */
export function PriorityMark({ priority }: { readonly priority: number }): JSX.Element {
  return (
    <span
      class={`priority priority-${priority}`}
      role="img"
      aria-label={`Priority ${PRIORITIES[priority] ?? priority}`}
    >
      <i />
      <i />
      <i />
      <i />
    </span>
  )
}

/** Shows the holder of a claim and the time left. */
export function Holder({ claim }: { readonly claim: Claim }): JSX.Element {
  const { deviceId, agent, expiresAtMs, state } = claim
  const ahead = isAhead(claim, now.value)
  const { text, tone } = timeLeft(expiresAtMs, now.value)
  const isHeld = state === 'held' && tone !== 'ended' && !ahead
  return (
    <span class={`holder${isHeld ? '' : ' holder-ended'}`}>
      <span class="holder-name" dir="auto">
        {agent !== null && `${visible(agent)} · `}
        {visible(nameOf(deviceId))}
      </span>
      <span class={`holder-left holder-${tone}`}>
        {state === 'released' ? 'released' : ahead ? 'from the future' : text}
      </span>
    </span>
  )
}
