/** What of a project is shown, and in which order. */
import type { Board, Card, Claim, Column, Conflict, Place, Project } from './state.ts'

/** A column with the cards that are shown in it. */
export interface Lane {
  readonly column: Column
  readonly cards: readonly Card[]
  /** How many cards stand in it, those included that are filtered out. */
  readonly total: number
}

/** A card that was moved here and whose command is on its way. */
export interface PendingMove {
  readonly cardId: string
  readonly place: Place
}

/** Boards that are not archived, by title. */
export function boardsOf({ boards }: Project): readonly Board[] {
  return Object.values(boards)
    .filter(({ archived }) => archived !== true)
    .sort((one, other) => compare(one.title ?? '', other.title ?? '') || compare(one.boardId, other.boardId))
}

/** Columns of a board that are not archived, in their order. */
export function columnsOf({ columns }: Project, boardId: string): readonly Column[] {
  return Object.values(columns)
    .filter((column) => column.boardId === boardId && column.archived !== true)
    .sort((one, other) => compare(one.rank ?? '', other.rank ?? '') || compare(one.columnId, other.columnId))
}

/** The columns of a board with their cards. `isShown` filters; a pending move is shown as if it had been made. */
export function arrange(
  project: Project,
  boardId: string,
  {
    isShown,
    pending,
  }: { readonly isShown?: ((card: Card) => boolean) | undefined; readonly pending?: PendingMove | undefined } = {},
): readonly Lane[] {
  const lanes = columnsOf(project, boardId).map((column) => ({ column, cards: [] as Card[], total: 0 }))
  const byColumn = new Map(lanes.map((lane) => [lane.column.columnId, lane]))
  for (const card of Object.values(project.cards)) {
    if (card.archived === true) continue
    const moved = pending?.cardId === card.cardId ? { ...card, place: pending.place } : card
    const lane = byColumn.get(moved.place?.columnId ?? '')
    if (lane === undefined) continue
    lane.total++
    if (isShown === undefined || isShown(card)) lane.cards.push(moved)
  }
  for (const { cards } of lanes) cards.sort(byPlace)
  return lanes
}

/** By rank, then by id, both compared by bytes. */
function byPlace(one: Card, other: Card): number {
  return compare(one.place?.rank ?? '', other.place?.rank ?? '') || compare(one.cardId, other.cardId)
}

/** Whether a card has all words of a text in its title or its labels, or was found by its texts. */
export function matcher(text: string, found: ReadonlySet<string>): ((card: Card) => boolean) | undefined {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return undefined
  return ({ cardId, title, labels }) => {
    if (found.has(cardId)) return true
    const all = `${title ?? ''}\n${labels.join('\n')}`.toLowerCase()
    return words.every((word) => all.includes(word))
  }
}

/** The conflicts of each card, its claim's included; by card. */
export function conflictsByCard({ conflicts }: Project): ReadonlyMap<string, readonly Conflict[]> {
  const found = new Map<string, Conflict[]>()
  for (const conflict of Object.values(conflicts)) {
    if (conflict.entity.type !== 'card') continue
    const of = found.get(conflict.entity.id)
    if (of === undefined) found.set(conflict.entity.id, [conflict])
    else of.push(conflict)
  }
  return found
}

/** The claim on a card that is held and has not ended; judged by the clock of the page. */
export function heldClaim({ claims }: Project, { claim }: Card, nowMs: number): Claim | undefined {
  const found = claim === null ? undefined : claims[claim]
  return found !== undefined && found.state === 'held' && found.expiresAtMs > nowMs ? found : undefined
}

/** Compares by UTF-16 units, which is by bytes for ranks and ids. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
