/** The boards and columns of a project that are not archived, and the place of each card. */
import type { Board, Card, Change, Column } from '../api.ts'
import type { Places, Whereabouts } from '../engine/reads/draft.ts'

/** The places of the cards of one project, updated with each change. */
export class CardPlaces {
  readonly #boards: Set<string>
  readonly #columns: Set<string>
  readonly #cards: Map<string, Whereabouts>

  constructor({ boards, columns, cards }: Places) {
    this.#boards = new Set(boards)
    this.#columns = new Set(columns)
    this.#cards = new Map(cards)
  }

  /** Whether a card has a board and a column that are not archived. */
  isPlaced(cardId: string): boolean {
    const [boardId, columnId] = this.#cards.get(cardId) ?? NOWHERE
    return boardId !== null && columnId !== null && this.#boards.has(boardId) && this.#columns.has(columnId)
  }

  /** Applies a change. Returns the cards for which `isPlaced` may have changed. */
  apply({ map, id, json }: Change): Iterable<string> {
    if (json === null) return []
    if (map === 'cards') {
      this.#cards.set(id, whereaboutsOf(JSON.parse(json) as Card))
      return [id]
    }
    if (map !== 'boards' && map !== 'columns') return []
    const live = map === 'boards' ? this.#boards : this.#columns
    const isLive = (JSON.parse(json) as Board | Column).archived !== true
    if (live.has(id) === isLive) return []
    if (isLive) live.add(id)
    else live.delete(id)
    return this.#cards.keys()
  }
}

const NOWHERE: Whereabouts = [null, null]

function whereaboutsOf({ place }: Card): Whereabouts {
  return [place?.boardId ?? null, place?.columnId ?? null]
}
