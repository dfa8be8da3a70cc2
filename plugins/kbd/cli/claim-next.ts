/** The action that claims the next free card of a column. */
import { randomUUID } from 'node:crypto'
import { CommandRefusal } from '../../../core/declare/command.ts'
import { claimAt } from '../../protocol/claim-at.ts'
import type { Card } from '../api.ts'
import type { BoardActions, JudgedClaim } from './api.ts'
import type { BoardClient } from './client.ts'
import { cardsOf, findBoard, findColumn } from './find.ts'
import type { MadeClaims } from './made-claims.ts'

/** Makes the action. */
export function createClaimNext({ project }: BoardClient, claims: MadeClaims): BoardActions['claimNext'] {
  const titled = async (made: JudgedClaim) => ({
    ...made,
    title: (await project()).cards[made.claim.cardId]?.title ?? null,
  })
  return async (column, board, { leaseMs, agent, claimId: id }) => {
    const repeated = await claims.repeated(id)
    if (repeated !== undefined) return titled(repeated)
    const claimId = id ?? randomUUID()
    /** Cards that another device claimed between the read and the command. */
    const taken = new Set<string>()
    const isFree = (card: Card): boolean => !taken.has(card.cardId)
    for (;;) {
      let tried = ''
      try {
        const made = await claims.make(claimId, (now) => {
          const { columnId } = findColumn(now, column, board && findBoard(now, board).boardId)
          const cards = cardsOf(now, columnId).filter(isFree)
          const next = cards.find((card) => claimAt(now.claims, card, Date.now()) === undefined)
          if (next === undefined) throw new CommandRefusal(NONE, 'Every card of the column is held.')
          tried = next.cardId
          return { type: 'claim.acquire', claimId, cardId: next.cardId, agent, leaseMs }
        })
        return titled(made)
      } catch (error) {
        if (!(error instanceof CommandRefusal)) throw error
        if (error.code === NONE) return undefined
        if (error.code !== 'claim_held') throw error
        taken.add(tried)
      }
    }
  }
}

/** The code of a column without a free card. It never leaves this file. */
const NONE = 'no_free_card'
