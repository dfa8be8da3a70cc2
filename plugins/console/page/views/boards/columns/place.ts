/** The command that moves a card to a place in a column. */
import { rankBetween } from '../../../../../protocol/ranks.ts'
import type { Card, Column, Command } from '../state.ts'

/** Largest number of cards in one `column.rerank` command. */
const MAX_PLACES = 256

/**
 * The command that moves a card before the card at `index` of `cards`, or to the end of the column. `cards` are the
 * other cards of the column in order. If there is no rank between the two neighbours, the command also gives new ranks
 * to the cards after the moved card. Returns undefined if there is no room at all, or if the column has no board.
 */
export function placeCommand(
  cardId: string,
  column: Column,
  cards: readonly Card[],
  index: number,
): Command | undefined {
  const rankOf = (at: number): string | undefined => cards[at]?.place?.rank
  const before = rankOf(index - 1)
  const rank = rankBetween(before, rankOf(index)) ?? (index === cards.length ? rankBeforeLast(cards) : undefined)
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

/** A rank before the last card, for a last card after which there is no rank. */
function rankBeforeLast(cards: readonly Card[]): string | undefined {
  return rankBetween(cards.at(-2)?.place?.rank, cards.at(-1)?.place?.rank)
}

/** The rank of a card in a command of `placeCommand`. */
export function rankIn(command: Command, cardId: string): string | undefined {
  if (command.type === 'card.move') return command.rank
  return command.type === 'column.rerank' ? command.places.find((place) => place.cardId === cardId)?.rank : undefined
}
