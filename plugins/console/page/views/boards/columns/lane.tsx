/** A column of the board: its head, and the cards near the visible part. */
import type { JSX } from 'preact'
import { useCallback } from 'preact/hooks'
import { count, visible } from '../../../lib/format.ts'
import { Windowed } from '../../../parts/windowed.tsx'
import type { Lane } from '../arrange.ts'
import { moveCard } from '../changes/changes.ts'
import type { Card, Claim, Conflict } from '../state.ts'
import { CardLink } from './card.tsx'
import { drop } from './drag.ts'
import { heightOf } from './heights.ts'
import { selected } from './selection.ts'

/** Shows a column. */
export function LaneBox({
  lane,
  claims,
  conflicted,
  lanesOf,
  isFiltered,
}: {
  readonly lane: Lane
  readonly claims: Readonly<Record<string, Claim>>
  readonly conflicted: ReadonlyMap<string, readonly Conflict[]>
  /** Returns the present lanes. Called when a card is dropped. */
  readonly lanesOf: () => readonly Lane[]
  readonly isFiltered: boolean
}): JSX.Element {
  const { column, cards, total } = lane
  const { columnId, wipLimit } = column
  const title = visible(column.title ?? 'Untitled column')
  const isOver = wipLimit !== null && total > wipLimit
  const chosen = selected.value
  const index = chosen === undefined ? -1 : cards.findIndex(({ cardId }) => cardId === chosen.cardId)
  const put = useCallback(
    (card: Card, to: Lane, others: readonly Card[], at: number) => void moveCard(card, to.column, others, at),
    [],
  )
  return (
    <section class="lane" data-column={columnId} aria-label={title}>
      <header>
        <h2 title={title} dir="auto">
          {title}
        </h2>
        <span
          class={`lane-count${isOver ? ' lane-over' : ''}`}
          title={isOver ? 'More cards than the limit of the column' : undefined}
        >
          {isFiltered && `${count(cards.length)} of `}
          {count(total)}
          {wipLimit !== null && ` / ${wipLimit}`}
        </span>
      </header>
      <Windowed
        place={`column-${columnId}`}
        rows={cards}
        rowHeight={heightOf}
        keyOf={({ cardId }) => cardId}
        label={`Cards in ${title}`}
        showIndex={index < 0 ? undefined : index}
        render={(card) => (
          <CardLink
            card={card}
            claim={card.claim === null ? undefined : claims[card.claim]}
            conflicts={conflicted.get(card.cardId)?.length ?? 0}
            isSelected={card.cardId === chosen?.cardId}
            takesFocus={card.cardId === chosen?.cardId && chosen.takesFocus}
            lanesOf={lanesOf}
            onPut={put}
          />
        )}
      >
        <Mark columnId={columnId} />
      </Windowed>
      {cards.length === 0 && <p class="lane-empty">{isFiltered ? 'Nothing found here' : 'No cards'}</p>}
    </section>
  )
}

/** Marks the place at which the dragged card would be dropped. */
function Mark({ columnId }: { readonly columnId: string }): JSX.Element | null {
  const at = drop.value
  if (at?.columnId !== columnId) return null
  return <div class="lane-mark" style={{ transform: `translateY(${at.top}px)` }} />
}
