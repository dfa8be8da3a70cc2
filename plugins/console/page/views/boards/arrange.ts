/** The parts of a project that the page shows, and their order. */

import { claimAt } from '../../../../protocol/claim-at.ts'
import { twoDigits } from '../../lib/format.ts'
import type { Board, Card, Claim, Column, Conflict, Place, Project } from './state.ts'

/** A column with the cards that are shown in it. */
export interface Lane {
  readonly column: Column
  readonly cards: readonly Card[]
  /** Number of cards in the column, including cards that the filter hides. */
  readonly total: number
}

/** A card that was moved in this page, and whose command has not been entered yet. */
export interface PendingMove {
  readonly cardId: string
  readonly place: Place
}

/** The boards that are not archived, sorted by title. */
export function boardsOf({ boards }: Project): readonly Board[] {
  return Object.values(boards)
    .filter(({ archived }) => archived !== true)
    .sort((a, b) => compare(a.title ?? '', b.title ?? '') || compare(a.boardId, b.boardId))
}

/** The columns of a board that are not archived, sorted by rank. */
export function columnsOf({ columns }: Project, boardId: string): readonly Column[] {
  return Object.values(columns)
    .filter((column) => column.boardId === boardId && column.archived !== true)
    .sort((a, b) => compare(a.rank ?? '', b.rank ?? '') || compare(a.columnId, b.columnId))
}

/**
 * The columns of a board with the cards for which `isShown` returns true. A pending move is shown as if it were
 * entered.
 */
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

/** Compares cards by rank, then by id, both by bytes. */
function byPlace(a: Card, b: Card): number {
  return compare(a.place?.rank ?? '', b.place?.rank ?? '') || compare(a.cardId, b.cardId)
}

/**
 * Returns a function that tests whether a card has all words of a text in its title and labels, or has its id in
 * `hitCardIds`. Returns undefined for a text without words.
 */
export function matcher(
  text: string,
  hitCardIds: ReadonlySet<string>,
): ((card: Pick<Card, 'cardId' | 'title' | 'labels'>) => boolean) | undefined {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return undefined
  return ({ cardId, title, labels }) => {
    if (hitCardIds.has(cardId)) return true
    const all = `${title ?? ''}\n${labels.join('\n')}`.normalize('NFC').toLowerCase()
    return words.every((word) => all.includes(word))
  }
}

/** The conflicts by card, including the conflicts about claims. */
export function conflictsByCard({ conflicts }: Project): ReadonlyMap<string, readonly Conflict[]> {
  const byCard = new Map<string, Conflict[]>()
  for (const conflict of Object.values(conflicts)) {
    if (conflict.entity.type !== 'card') continue
    const ofCard = byCard.get(conflict.entity.id)
    if (ofCard === undefined) byCard.set(conflict.entity.id, [conflict])
    else ofCard.push(conflict)
  }
  return byCard
}

/** The claim on a card that is in force at `nowMs`. */
export function heldClaim({ claims }: Project, card: Card, nowMs: number): Claim | undefined {
  return claimAt(claims, card, nowMs)
}

/** Compares by UTF-16 units. For ranks and ids this is the order of bytes. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A claim with less time left than this is shown as a warning, in milliseconds. */
const SOON_MS = 60_000

/** The time left of a lease. */
export interface TimeLeft {
  readonly text: string
  readonly tone: 'plain' | 'warn' | 'ended'
}

/** The time left, as a clock: `1:02:09`, `4:05`, `0:31`. */
export function timeLeft(expiresAtMs: number, nowMs: number): TimeLeft {
  const leftMs = expiresAtMs - nowMs
  if (leftMs <= 0) return { text: 'ended', tone: 'ended' }
  // Rounded down, because `nowMs` may be one second old: rounded up, a new lease would appear longer than it is.
  const seconds = Math.floor(leftMs / 1_000)
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const text =
    hours > 0 ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}` : `${minutes}:${twoDigits(seconds % 60)}`
  return { text, tone: leftMs < SOON_MS ? 'warn' : 'plain' }
}
