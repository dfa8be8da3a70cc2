/**
 * The actions of people and agents on a board, each a signed command whose parents are the heads that were just read.
 */
import { randomUUID } from 'node:crypto'
import { CommandRefusal } from '../../../core/declare/command.ts'
import type { CardDetail, Command } from '../api.ts'
import { isBlank } from '../engine/commands/words.ts'
import { createActionParts, enterFor, rankBehind } from './action-parts.ts'
import { createAddActions } from './add-actions.ts'
import type { BoardActions } from './api.ts'
import { createClaimActions } from './claim-actions.ts'
import type { BoardClient } from './client.ts'
import { createEditActions } from './edit-actions.ts'
import { boardsOf, cardsOf, columnsOf, findBoard, findCard, findColumn, onlyBoard } from './find.ts'
import { createResolve } from './resolve-action.ts'

/** The actions of a device in a project. Cards are found on `board`, if one is named. */
export function createActions(client: BoardClient, board?: string): BoardActions {
  const { enter, project, key, service } = client
  const parts = createActionParts(client, board)
  const { cardOf, keep } = parts

  return {
    find: { boards: boardsOf, onlyBoard, columns: columnsOf, cards: cardsOf, board: findBoard, card: findCard },
    service,
    keyId: () => key().keyId,
    project,
    ...createAddActions(parts),
    ...createEditActions(parts),
    ...createClaimActions(parts),
    resolve: createResolve(parts),
    async moveCard(name, column) {
      const { target, entered } = await enterFor(enter, (now) => {
        const card = cardOf(now, name)
        const { columnId, boardId } = findColumn(now, column, card.place?.boardId)
        const rank = rankBehind(now, columnId)
        return {
          target: { card, columnId },
          command: { type: 'card.move', cardId: card.cardId, boardId, columnId, rank },
        }
      })
      return { ...target, entered }
    },
    async archiveCard(name) {
      const { target } = await enterFor(enter, (now) => {
        const { cardId } = cardOf(now, name)
        return { target: cardId, command: { type: 'card.archive', cardId } }
      })
      return target
    },
    async archiveBoard(name) {
      const { target } = await enterFor(enter, (now) => {
        const { boardId } = findBoard(now, name)
        return { target: boardId, command: { type: 'board.archive', boardId, archived: true } }
      })
      return target
    },
    async comment(name, text, id) {
      if (isBlank(text)) throw new CommandRefusal('command_invalid', 'A comment has a character that people see.')
      const now = await project()
      const card = cardOf(now, name)
      const path = `/api/v1/kbd/projects/${now.project}/cards/${card.cardId}`
      if (id !== undefined && (await service.get<CardDetail>(path)).comments.some(({ commentId }) => commentId === id))
        return { commentId: id, revision: now.revision }
      const commentId = id ?? randomUUID()
      const bodyHash = await keep(text)
      const { revision } = await enter(
        (now): Command => ({ type: 'comment.add', commentId, cardId: cardOf(now, name).cardId, bodyHash }),
      )
      return { commentId, revision }
    },
  }
}
