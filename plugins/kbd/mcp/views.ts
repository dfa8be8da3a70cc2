/** A project as an agent reads it: boards, columns, cards and their holders, without registers. */

import { claimAt } from '../../protocol/claim-at.ts'
import type { Card, Claim, Project } from '../api.ts'
import type { BoardFinder } from '../cli/api.ts'
import { createRoom, pageOf, unknownCursor } from './pages.ts'

/** The clock and the device for which a project is shown. */
export interface Viewpoint {
  readonly find: BoardFinder
  /** The time at which leases are judged, Unix time in milliseconds. */
  readonly nowMs: number
  /** The key of this server's device. */
  readonly keyId: string
}

/** A part of an output, of the form that the output schema describes. */
export type View = Readonly<Record<string, unknown>>

/** The boards of a project, with their columns and the number of cards in each. */
export function listBoards(project: Project, { find }: Viewpoint, cursor: string | undefined): View {
  const columns = find.columns(project)
  const boards = find.boards(project).map(({ boardId, title }) => ({
    boardId,
    title,
    columns: columns
      .filter((column) => column.boardId === boardId)
      .map(({ columnId, title, wipLimit }) => ({
        columnId,
        title,
        wipLimit,
        cards: find.cards(project, columnId).length,
      })),
  }))
  const { items, nextCursor } = pageOf(boards, cursor, ({ boardId }) => boardId)
  return {
    project: project.project,
    revision: project.revision,
    boards: items,
    unplaced: project.unplaced.length,
    conflicts: Object.keys(project.conflicts).length,
    nextCursor,
  }
}

/** One page of the cards of a board. The cursor is the column and the card with which the page before ended. */
export function showBoard(project: Project, boardId: string, from: Viewpoint, cursor: string | undefined): View {
  const [lastColumn, lastCard] = cursor?.split('/') ?? []
  const all = from.find.columns(project).filter((column) => column.boardId === boardId)
  const first = lastColumn === undefined ? 0 : all.findIndex(({ columnId }) => columnId === lastColumn)
  if (first < 0) throw unknownCursor()
  const room = createRoom()
  const columns: View[] = []
  let nextCursor: string | null = null
  for (const { columnId, title, wipLimit } of all.slice(first)) {
    const head = { columnId, title, wipLimit }
    const before = columnId === lastColumn && lastCard !== '' ? lastCard : undefined
    if (!room.takes(head)) {
      nextCursor = `${columnId}/`
      break
    }
    const cards = from.find.cards(project, columnId)
    const start = before === undefined ? 0 : cards.findIndex(({ cardId }) => cardId === before) + 1
    if (before !== undefined && start === 0) throw unknownCursor()
    const shown: View[] = []
    for (const card of cards.slice(start)) {
      const view = viewCard(project, card, from)
      // The first card of a page is always shown, even if it is too large.
      if (!room.takes(view) && (shown.length > 0 || columns.length > 0)) {
        nextCursor = `${columnId}/${shown.at(-1)?.['cardId'] ?? before ?? ''}`
        break
      }
      shown.push(view)
    }
    columns.push({ ...head, cards: shown })
    if (nextCursor !== null) break
  }
  return { board: { boardId, title: project.boards[boardId]!.title, columns }, nextCursor }
}

/** One card. */
export function viewCard(project: Project, card: Card, { nowMs, keyId }: Viewpoint): View {
  const { cardId, title, labels, assignee, priority } = card
  const held = claimAt(project.claims, card, nowMs)
  return {
    cardId,
    title,
    labels,
    assignee,
    priority,
    holder: held === undefined ? null : viewClaim(held, keyId),
    conflicts: Object.values(project.conflicts)
      .filter(({ entity }) => entity.id === cardId)
      .map(({ conflictId }) => conflictId),
  }
}

/** A claim: `claimId` and `generation` together are its fencing token. */
export function viewClaim({ claimId, cardId, generation, agent, deviceId, expiresAtMs }: Claim, keyId: string): View {
  return { claimId, cardId, generation, agent, deviceId, expiresAtMs, mine: deviceId === keyId }
}
