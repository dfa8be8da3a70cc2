/** The selected card, for the keyboard shortcuts, and the targets of the arrow keys. */
import { type Signal, signal } from '@preact/signals'
import type { Lane } from '../arrange.ts'
import type { Card } from '../state.ts'

/** The id of the selected card. With `takesFocus`, after a key, the card gets the focus. */
export const selected: Signal<{ readonly cardId: string; readonly takesFocus: boolean } | undefined> = signal(undefined)

/** The position of a card: the index of its lane, and its index in the lane. */
export interface Spot {
  readonly lane: number
  readonly index: number
}

/** The direction of an arrow key. */
export type Direction = 'up' | 'down' | 'left' | 'right'

/** Finds a card in the lanes. */
function spotOf(lanes: readonly Lane[], cardId: string | undefined): Spot | undefined {
  if (cardId === undefined) return undefined
  for (const [lane, { cards }] of lanes.entries()) {
    const index = cards.findIndex((card) => card.cardId === cardId)
    if (index >= 0) return { lane, index }
  }
  return undefined
}

/**
 * The card that an arrow key selects: the first card if no card is selected, and the same card at an edge. Lanes
 * without cards are skipped.
 */
export function cardFrom(lanes: readonly Lane[], from: string | undefined, direction: Direction): Card | undefined {
  const spot = spotOf(lanes, from)
  if (spot === undefined) return lanes.find(({ cards }) => cards.length > 0)?.cards[0]
  const { lane, index } = spot
  const here = lanes[lane]?.cards ?? []
  if (direction === 'up') return here[Math.max(0, index - 1)]
  if (direction === 'down') return here[Math.min(here.length - 1, index + 1)]
  const step = direction === 'left' ? -1 : 1
  for (let at = lane + step; at >= 0 && at < lanes.length; at += step) {
    const { cards = [] } = lanes[at] ?? {}
    if (cards.length > 0) return cards[Math.min(index, cards.length - 1)]
  }
  return here[index]
}

/**
 * The position to which Shift and an arrow key move a card: the lane, and the index among the other cards of the lane.
 * Returns undefined at an edge.
 */
export function spotFrom(lanes: readonly Lane[], cardId: string, direction: Direction): Spot | undefined {
  const spot = spotOf(lanes, cardId)
  if (spot === undefined) return undefined
  const { lane, index } = spot
  const to = direction === 'left' ? lane - 1 : direction === 'right' ? lane + 1 : lane
  const target = lanes[to]
  if (target === undefined) return undefined
  if (to !== lane) return { lane: to, index: Math.min(index, target.cards.length) }
  const next = direction === 'up' ? index - 1 : index + 1
  return next < 0 || next >= target.cards.length ? undefined : { lane, index: next }
}
