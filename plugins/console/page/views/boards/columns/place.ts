/** Where a moved card is put: the command that puts it there. */
import { rankBetween } from '../../../../../protocol/ranks.ts'
import type { Card, Column, Command } from '../state.ts'

/** Cards of one `column.rerank` at most. */
const MAX_PLACES = 256

/**
 * The command that puts a card before the card at `index` of a column, or at its end; `cards` are those of the column in order, without
 * the card itself. Where two neighbours have one rank, no rank is between them: then those behind are given new ranks with it.
 * Undefined where there is no room at all, or where the column has no board.
 */
export function placeCommand(
  cardId: string,
  column: Column,
  cards: readonly Card[],
  index: number,
): Command | undefined {
  const rankOf = (at: number): string | undefined => cards[at]?.place?.rank
  const before = rankOf(index - 1)
  const rank = rankBetween(before, rankOf(index)) ?? (index === cards.length ? lastResort(cards) : undefined)
  const { columnId, boardId } = column
  if (boardId === null) return undefined
  if (rank !== undefined) return { type: 'card.move', cardId, boardId, columnId, rank }
  let end = index
  while (end < cards.length && !isRoomBetween(before, rankOf(end))) end++
  const ids = [cardId, ...cards.slice(index, end).map((card) => card.cardId)]
  if (ids.length > MAX_PLACES) return undefined
  const places: { cardId: string; rank: string }[] = []
  let last = before
  for (const id of ids) {
    const next = rankBetween(last, rankOf(end))
    if (next === undefined) return undefined
    places.push({ cardId: id, rank: next })
    last = next
  }
  return { type: 'column.rerank', columnId, places }
}

function isRoomBetween(before: string | undefined, after: string | undefined): boolean {
  if (before !== undefined && after !== undefined && after <= before) return false
  return rankBetween(before, after) !== undefined
}

/** Before a card at the very last rank there is room, behind it there is none. */
function lastResort(cards: readonly Card[]): string | undefined {
  return rankBetween(cards.at(-2)?.place?.rank, cards.at(-1)?.place?.rank)
}

/** The rank of a card in a command of `placeCommand`. */
export function rankIn(command: Command, cardId: string): string | undefined {
  if (command.type === 'card.move') return command.rank
  return command.type === 'column.rerank' ? command.places.find((place) => place.cardId === cardId)?.rank : undefined
}
