/** A project as an agent reads it: what stands where, by whom it is held, and no registers. */

import type { Card, Claim, Project } from '../api.ts'
import type { BoardFinder } from '../cli/api.ts'

/** From where one looks. */
export interface Viewpoint {
  readonly find: BoardFinder
  /** The clock that leases are judged by, Unix time in milliseconds. */
  readonly nowMs: number
  /** The key of this server's device. */
  readonly keyId: string
}

/** What a tool shows, as its output schema says. */
export type View = Readonly<Record<string, unknown>>

/** The boards of a project, with their columns and how many cards stand in each. */
export function listBoards(project: Project, { find }: Viewpoint): View {
  const columns = find.columns(project)
  return {
    project: project.project,
    revision: project.revision,
    boards: find.boards(project).map(({ boardId, title }) => ({
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
    })),
    unplaced: project.unplaced.length,
    conflicts: Object.keys(project.conflicts).length,
  }
}

/** One board with its cards. */
export function showBoard(project: Project, boardId: string, from: Viewpoint): View {
  return {
    boardId,
    title: project.boards[boardId]!.title,
    columns: from.find
      .columns(project)
      .filter((column) => column.boardId === boardId)
      .map(({ columnId, title, wipLimit }) => ({
        columnId,
        title,
        wipLimit,
        cards: from.find.cards(project, columnId).map((card) => viewCard(project, card, from)),
      })),
  }
}

/** One card. */
export function viewCard(project: Project, card: Card, { nowMs, keyId }: Viewpoint): View {
  const { cardId, title, labels, assignee, priority, claim } = card
  const held = claim === null ? undefined : project.claims[claim]
  const isHeld = held !== undefined && held.state === 'held' && nowMs < held.expiresAtMs
  return {
    cardId,
    title,
    labels,
    assignee,
    priority,
    holder: isHeld ? viewClaim(held, keyId) : null,
    conflicts: Object.values(project.conflicts)
      .filter(({ entity }) => entity.id === cardId)
      .map(({ conflictId }) => conflictId),
  }
}

/** A claim: `claimId` and `generation` together are its fencing token. */
export function viewClaim({ claimId, cardId, generation, agent, deviceId, expiresAtMs }: Claim, keyId: string): View {
  return { claimId, cardId, generation, agent, deviceId, expiresAtMs, mine: deviceId === keyId }
}
