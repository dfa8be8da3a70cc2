/** The actions that create boards and cards. */
import { randomUUID } from 'node:crypto'
import { CommandRefusal } from '../../../core/declare/command.ts'
import { printable } from '../../../core/kernel/printable.ts'
import { rankAfter } from '../../protocol/ranks.ts'
import type { Command, Project } from '../api.ts'
import { type ActionParts, rankBehind } from './action-parts.ts'
import type { BoardActions } from './api.ts'
import type { BoardClient } from './client.ts'
import { requireForms } from './edit-actions.ts'
import { boardsOf, columnsOf, findBoard, findColumn, LISTED, type LiveColumn } from './find.ts'

/** Makes the actions. */
export function createAddActions({
  client: { enter, project },
  keep,
  board,
}: ActionParts): Pick<BoardActions, 'addBoard' | 'addCard'> {
  return {
    async addBoard(title, columns) {
      const boardId = randomUUID()
      const create: Command = { type: 'board.create', boardId, title }
      let rank: string | undefined
      const rest = columns.map((name): Command => {
        rank = rankAfter(rank)
        return { type: 'column.create', columnId: randomUUID(), boardId, title: name, rank }
      })
      requireForms([create, ...rest])
      await enter(() => create)
      await enterRest(enter, { boardId }, rest)
      return boardId
    },
    async addCard({ id, title, board: on = board, column: wanted, body, labels = [] }) {
      const made = id === undefined ? undefined : (await project()).cards[id]
      if (made !== undefined) {
        const missing = labels.filter((name) => !made.labels.includes(name))
        const { cardId } = made
        await enterRest(
          enter,
          { cardId },
          missing.map((name) => ({ type: 'label.add', cardId, name })),
        )
        return cardId
      }
      const cardId = id ?? randomUUID()
      const rest = labels.map((name): Command => ({ type: 'label.add', cardId, name }))
      requireForms([{ type: 'card.update', cardId, title }, ...rest])
      const bodyHash = body === undefined ? undefined : await keep(body)
      await enter((now) => {
        const { columnId, boardId } = columnFor(now, on, wanted)
        return {
          type: 'card.create',
          cardId,
          boardId,
          columnId,
          rank: rankBehind(now, columnId),
          title,
          ...(bodyHash !== undefined && { bodyHash }),
        }
      })
      await enterRest(enter, { cardId }, rest)
      return cardId
    },
  }
}

/** The column of a new card: the named one, or the first one of the board. */
function columnFor(now: Project, board: string | undefined, column: string | undefined): LiveColumn {
  const boardId = board === undefined ? undefined : findBoard(now, board).boardId
  if (column !== undefined) return findColumn(now, column, boardId)
  const first = firstColumn(now, boardId)
  if (first === undefined)
    throw new CommandRefusal('not_found', 'There is no column yet: svc board add --board <title>')
  return first
}

/** Enters the commands that follow a creation. If one fails, `made` of the refusal names what was created and stays. */
async function enterRest(
  enter: BoardClient['enter'],
  made: Readonly<Record<string, string>>,
  rest: readonly Command[],
): Promise<void> {
  for (const command of rest) {
    try {
      await enter(() => command)
    } catch (error) {
      if (!(error instanceof CommandRefusal)) throw error
      const [[kind, id] = []] = Object.entries(made)
      const message = `${error.message}\n${kind} ${id} was made; ${command.type} failed.`
      throw new CommandRefusal(error.code, message, {
        ...error.details,
        message,
        made,
        hint: '`made` names what exists now: do not make it again.',
      })
    }
  }
}

/**
 * The first column of a board, or of the only board. Throws `ambiguous` if there are several boards and none is named.
 */
function firstColumn(project: Project, boardId: string | undefined): LiveColumn | undefined {
  const columns = columnsOf(project).filter((column) => boardId === undefined || column.boardId === boardId)
  const boards = boardsOf(project).filter(({ boardId }) => columns.some((column) => column.boardId === boardId))
  if (boards.length < 2) return columns[0]
  const list = columns.slice(0, LISTED).map(({ columnId, boardId, title }) => {
    const board = boards.find((candidate) => candidate.boardId === boardId)
    return `  ${columnId}  ${printable(board?.title ?? '')} / ${printable(title ?? '')}`
  })
  if (columns.length > LISTED) list.push(`  and ${columns.length - LISTED} more`)
  throw new CommandRefusal(
    'ambiguous',
    `There are several boards. Name the board (--board) or the column:\n${list.join('\n')}`,
  )
}
