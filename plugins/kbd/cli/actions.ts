/** What people and agents do on a board, each a signed command whose parents are what was just read. */

import { createHash, randomUUID } from 'node:crypto'
import { CommandRefusal } from '../../../core/command.ts'
import { printable } from '../../../core/printable.ts'
import { rankAfter, rankAtEnd } from '../../protocol/ranks.ts'
import type { Card, Claim, Column, Command, Conflict, Project } from '../api.ts'
import type { BoardActions, JudgedClaim } from './api.ts'
import type { BoardClient } from './client.ts'
import { createEditActions } from './edit-actions.ts'
import { boardsOf, cardsOf, columnsOf, findBoard, findCard, findColumn, findOne, LISTED, onlyBoard } from './find.ts'
import { requireForms } from './forms.ts'

/** The actions of a device in a project; cards are those of `board`, where one is named. */
export function createActions(client: BoardClient, board?: string): BoardActions {
  const { enter, project, key, service } = client
  const cardOf = (now: Project, name: string): Card => findCard(now, name, board)

  const judged = async (claimId: string): Promise<JudgedClaim> => {
    const { project: name } = await project()
    const path = `/api/v1/kbd/projects/${name}/claims?state=all`
    const { claims, nowMs } = await service.get<{ claims: readonly Claim[]; nowMs: number }>(path)
    const claim = claims.find((one) => one.claimId === claimId)
    if (claim === undefined) throw new CommandRefusal('claim_not_held', 'The claim was lost to another at once.')
    return { claim, nowMs }
  }

  /** The device's own claim of a card. */
  const own = (now: Project, name: string): Claim => {
    const card = cardOf(now, name)
    const claim = card.claim === null ? undefined : now.claims[card.claim]
    if (claim?.deviceId !== key().keyId)
      throw new CommandRefusal('claim_not_held', 'This device does not hold the card.')
    return claim
  }

  /** Keeps a text, and gives the hash that names it. */
  const keep = async (text: string): Promise<string> => {
    const hash = createHash('sha256').update(text).digest('hex')
    await service.send('PUT', `/api/v1/kbd/content/${hash}`, 'application/octet-stream', text)
    return hash
  }

  return {
    find: { boards: boardsOf, onlyBoard, columns: columnsOf, cards: cardsOf, board: findBoard, card: findCard },
    service,
    keyId: () => key().keyId,
    project,
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
    async addCard({ title, board: on, column: wanted, body, labels = [] }) {
      const cardId = randomUUID()
      const rest = labels.map((name): Command => ({ type: 'label.add', cardId, name }))
      requireForms([{ type: 'card.update', cardId, title }, ...rest])
      const bodyHash = body === undefined ? undefined : await keep(body)
      await enter((now) => {
        const boardId = (on ?? board) === undefined ? undefined : findBoard(now, (on ?? board)!).boardId
        const column = wanted === undefined ? firstColumn(now, boardId) : findColumn(now, wanted, boardId)
        if (column === undefined)
          throw new CommandRefusal('not_found', 'There is no column yet: svc board add --board <title>')
        const { columnId } = column
        return {
          type: 'card.create',
          cardId,
          boardId: column.boardId!,
          columnId,
          rank: endOf(now, columnId),
          title,
          ...(bodyHash !== undefined && { bodyHash }),
        }
      })
      await enterRest(enter, { cardId }, rest)
      return cardId
    },
    async moveCard(name, column) {
      let card: Card | undefined
      let columnId = ''
      const entered = await enter((now) => {
        card = cardOf(now, name)
        const to = findColumn(now, column, card.place?.boardId)
        columnId = to.columnId
        return { type: 'card.move', cardId: card.cardId, boardId: to.boardId!, columnId, rank: endOf(now, columnId) }
      })
      return { card: card!, columnId, entered }
    },
    async archiveCard(name) {
      let cardId = ''
      await enter((now) => {
        cardId = cardOf(now, name).cardId
        return { type: 'card.archive', cardId }
      })
      return cardId
    },
    async archiveBoard(name) {
      let boardId = ''
      await enter((now) => {
        boardId = findBoard(now, name).boardId
        return { type: 'board.archive', boardId, archived: true }
      })
      return boardId
    },
    ...createEditActions({ client, cardOf, keep, board }),
    async comment(name, text) {
      const commentId = randomUUID()
      const bodyHash = await keep(text)
      const entered = await enter((now) => ({
        type: 'comment.add',
        commentId,
        cardId: cardOf(now, name).cardId,
        bodyHash,
      }))
      return { commentId, entered }
    },
    async claim(name, { leaseMs, agent, isForced = false }) {
      const claimId = randomUUID()
      const type = isForced ? 'claim.force' : 'claim.acquire'
      await enter((now) => ({ type, claimId, cardId: cardOf(now, name).cardId, agent, leaseMs }))
      return judged(claimId)
    },
    async renew(name, leaseMs) {
      let claimId = ''
      await enter((now) => {
        const claim = own(now, name)
        claimId = claim.claimId
        return { type: 'claim.renew', claimId, cardId: claim.cardId, leaseMs }
      })
      return judged(claimId)
    },
    async release(name) {
      let claimId = ''
      const entered = await enter((now) => {
        const claim = own(now, name)
        claimId = claim.claimId
        return { type: 'claim.release', claimId, cardId: claim.cardId }
      })
      return { claimId, entered }
    },
    async resolve(name, choice) {
      let conflict: Conflict | undefined
      const entered = await enter((now) => {
        const all = Object.values(now.conflicts)
        conflict = findOne('conflict', name, all, ({ conflictId, register }) => [conflictId, register])
        const { conflictId, register, candidates } = conflict
        return {
          type: 'conflict.resolve',
          conflictId,
          register,
          candidates: candidates.map(({ id }) => id).sort(),
          choose:
            'value' in choice
              ? { value: toValue(now, conflict, choice.value) }
              : { id: findOne('candidate', choice.candidate, candidates, ({ id }) => [id, null]).id },
        }
      })
      return { conflict: conflict!, entered }
    },
  }
}

/** Enters the commands that follow a creation. Where one fails, the refusal names in `made` what stays. */
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
        hint: 'What `made` names is there: do not make it again.',
      })
    }
  }
}

/** The first column of a board, or of the only one. With several boards the board or the column has to be named. */
function firstColumn(project: Project, boardId: string | undefined): Column | undefined {
  const columns = columnsOf(project).filter((column) => boardId === undefined || column.boardId === boardId)
  const boards = boardsOf(project).filter(({ boardId }) => columns.some((column) => column.boardId === boardId))
  if (boards.length < 2) return columns[0]
  const list = columns.slice(0, LISTED).map(({ columnId, boardId, title }) => {
    const board = boards.find((one) => one.boardId === boardId)
    return `  ${columnId}  ${printable(board?.title ?? '')} / ${printable(title ?? '')}`
  })
  if (columns.length > LISTED) list.push(`  and ${columns.length - LISTED} more`)
  throw new CommandRefusal(
    'ambiguous',
    `There are several boards. Name the board (--board) or the column:\n${list.join('\n')}`,
  )
}

/** A value as a person writes it. */
function toValue(now: Project, { register, entity }: Conflict, text: string): unknown {
  const name = register.slice(register.lastIndexOf('/') + 1)
  if (name === 'title' || name === 'rank' || name === 'assignee') return text
  if (name === 'place') {
    const { columnId, boardId } = findColumn(now, text, now.cards[entity.id]?.place?.boardId)
    return { boardId, columnId, rank: endOf(now, columnId) }
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandRefusal('command_invalid', `The value of ${name} is JSON, such as 1, true or null.`)
  }
}

function endOf(project: Project, columnId: string): string {
  return rankAtEnd(cardsOf(project, columnId).flatMap(({ place }) => place?.rank ?? []))
}
