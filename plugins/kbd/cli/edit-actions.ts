/** The actions that change cards, columns and boards, each a signed command, and the one that reads a card. */
import { randomUUID } from 'node:crypto'
import { CommandRefusal } from '../../../core/declare/command.ts'
import { rankAtEnd } from '../../protocol/ranks.ts'
import type { Board, Card, CardDetail, Command } from '../api.ts'
import { COMMAND_FORMS } from '../engine/commands/fields.ts'
import { findBlank, inWords } from '../engine/commands/words.ts'
import type { ActionParts } from './action-parts.ts'
import type { BoardActions } from './api.ts'
import { columnsOf, findArchived, findBoard, onlyBoard } from './find.ts'

type EditActions = Pick<BoardActions, 'restore' | 'editCard' | 'renameBoard' | 'labelCard' | 'addColumn' | 'readCard'>

/** Makes the actions. */
export function createEditActions({ client, cardOf, keep, board }: ActionParts): EditActions {
  const { enter, project, service } = client

  return {
    async restore(kind, name) {
      let id = ''
      await enter((now): Command => {
        const target = findArchived(now, name, kind)
        if (kind === 'card') return { type: 'card.restore', cardId: (id = (target as Card).cardId) }
        return { type: 'board.archive', boardId: (id = (target as Board).boardId), archived: false }
      })
      return id
    },
    async editCard(name, { body, ...change }) {
      const cardId = randomUUID()
      // The forms are checked before a text is kept.
      requireForms([{ type: 'card.update', cardId, bodyHash: null, ...defined(change) }])
      const bodyHash = typeof body === 'string' ? await keep(body) : body
      let id = ''
      await enter((now): Command => {
        id = cardOf(now, name).cardId
        return { type: 'card.update', cardId: id, ...defined({ ...change, bodyHash }) }
      })
      return id
    },
    async renameBoard(name, title) {
      let boardId = ''
      await enter((now): Command => {
        boardId = findBoard(now, name).boardId
        return { type: 'board.update', boardId, title }
      })
      return boardId
    },
    async labelCard(name, added, removed) {
      const { cardId } = cardOf(await project(), name)
      const commands = [
        ...added.map((label): Command => ({ type: 'label.add', cardId, name: label })),
        ...removed.map((label): Command => ({ type: 'label.remove', cardId, name: label })),
      ]
      requireForms(commands)
      for (const command of commands) await enter(() => command)
      return cardId
    },
    async addColumn(title, on) {
      const columnId = randomUUID()
      await enter((now): Command => {
        const name = on ?? board
        const parentBoard = name === undefined ? onlyBoard(now) : findBoard(now, name)
        if (parentBoard === undefined)
          throw new CommandRefusal('not_found', 'There is no board yet: svc board add --board <title>')
        const { boardId } = parentBoard
        const ranks = columnsOf(now)
          .filter((column) => column.boardId === boardId)
          .flatMap(({ rank }) => rank ?? [])
        return { type: 'column.create', columnId, boardId, title, rank: rankAtEnd(ranks) }
      })
      return columnId
    },
    async readCard(name) {
      const now = await project()
      const { cardId } = cardOf(now, name)
      const card = await service.get<CardDetail>(`/api/v1/kbd/projects/${now.project}/cards/${cardId}`)
      const read = async (hash: string | null): Promise<string | null> => {
        const bytes = hash === null ? undefined : await service.getBytes(`/api/v1/kbd/content/${hash}`)
        return bytes === undefined ? null : new TextDecoder().decode(bytes)
      }
      const comments = []
      for (const comment of card.comments) comments.push({ ...comment, text: await read(comment.bodyHash) })
      return { ...card, text: await read(card.bodyHash), comments }
    },
  }
}

/** The members that are not undefined. */
function defined<T extends object>(value: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>
  }
}

/** Throws `command_invalid` with the member of the first command that breaks its form. */
export function requireForms(commands: readonly Command[]): void {
  for (const command of commands) {
    const member = COMMAND_FORMS[command.type]?.(command, '/command') ?? findBlank(command)
    if (member === undefined) continue
    const message = inWords(command, member) ?? `${command.type} has a member that is missing or not allowed: ${member}`
    throw new CommandRefusal('command_invalid', message, { member })
  }
}
