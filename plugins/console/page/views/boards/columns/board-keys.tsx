/** The keyboard shortcuts of a board. */

import { useKeys } from '../../../lib/keys.ts'
import { base, go, query, setQuery } from '../../../lib/router.ts'
import { heldClaim, type Lane } from '../arrange.ts'
import { enter, moveCard } from '../changes/changes.ts'
import { acquire, release } from '../detail/claims.ts'
import type { Card, Project } from '../state.ts'
import { hrefOf } from './card.tsx'
import { cardFrom, type Direction, selected, spotFrom } from './selection.ts'

/** Binds the shortcuts as long as the board is shown. */
export function BoardKeys({
  project,
  lanes,
  onNew,
}: {
  readonly project: Project
  readonly lanes: readonly Lane[]
  readonly onNew: () => void
}): null {
  const currentCard = (): Card | undefined => project.cards[query.peek().get('card') ?? selected.peek()?.cardId ?? '']
  const arrow = (direction: Direction, shifted: boolean): void => {
    const from = selected.peek()?.cardId
    if (shifted && from !== undefined) return void shift(project, lanes, from, direction)
    const next = cardFrom(lanes, from, direction)
    if (next === undefined) return
    selected.value = { cardId: next.cardId, takesFocus: true }
    if (query.peek().has('card')) setQuery('card', next.cardId)
  }
  useKeys([
    ...(['Up', 'Down', 'Left', 'Right'] as const).map((name) => ({
      keys: `Arrow${name}`,
      does: ARROWS[name],
      run: ({ shiftKey }: KeyboardEvent) => arrow(name.toLowerCase() as Direction, shiftKey),
    })),
    {
      keys: 'Enter',
      does: 'Open the selected card',
      run: () => {
        const card = currentCard()
        if (card !== undefined) go(hrefOf(card.cardId).slice(base.length))
      },
    },
    { keys: 'n', does: 'New card', run: onNew },
    {
      keys: 'c',
      does: 'Claim the card, or renew its claim',
      run: () => {
        const card = currentCard()
        if (card !== undefined) void acquire(project, card)
      },
    },
    {
      keys: 'r',
      does: 'Release the claim',
      run: () => {
        const card = currentCard()
        const claim = card === undefined ? undefined : heldClaim(project, card, Date.now())
        if (claim !== undefined) void release(claim)
      },
    },
    {
      keys: 'a',
      does: 'Archive the card, or restore it',
      run: () => {
        const card = currentCard()
        if (card !== undefined)
          void enter({ type: card.archived === true ? 'card.restore' : 'card.archive', cardId: card.cardId })
      },
    },
    {
      keys: 'Escape',
      does: 'Close the card, or select none',
      run: () => {
        if (query.peek().has('card')) setQuery('card', undefined)
        else selected.value = undefined
      },
    },
  ])
  return null
}

const ARROWS = {
  Up: 'Select the card above; with Shift, move it up',
  Down: 'Select the card below; with Shift, move it down',
  Left: 'Select to the left; with Shift, move the card left',
  Right: 'Select to the right; with Shift, move the card right',
} as const

function shift(project: Project, lanes: readonly Lane[], cardId: string, direction: Direction): void {
  const spot = spotFrom(lanes, cardId, direction)
  const lane = spot && lanes[spot.lane]
  const card = project.cards[cardId]
  if (spot === undefined || lane === undefined || card === undefined) return
  const { column, cards } = lane
  selected.value = { cardId, takesFocus: true }
  const others = cards.filter((other) => other.cardId !== cardId)
  void moveCard(card, column, others, spot.index)
}
