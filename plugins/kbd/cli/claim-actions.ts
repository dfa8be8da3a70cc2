/** The actions on claims of cards. */
import { randomUUID } from 'node:crypto'
import { CommandRefusal } from '../../../core/command.ts'
import type { Card, Claim, Project } from '../api.ts'
import { heldClaim } from '../held-claim.ts'
import type { ActionParts } from './action-parts.ts'
import type { BoardActions, JudgedClaim } from './api.ts'
import { cardsOf, findBoard, findColumn } from './find.ts'

/** Makes the actions. */
export function createClaimActions({
  client: { enter, project, key, service },
  cardOf,
}: ActionParts): Pick<BoardActions, 'claim' | 'claimNext' | 'renew' | 'release'> {
  /** A claim, with its state at the present time of the service. */
  const judged = async (claimId: string): Promise<JudgedClaim> => {
    const { project: name } = await project()
    const path = `/api/v1/kbd/projects/${name}/claims?state=all`
    const { claims, nowMs } = await service.get<{ claims: readonly Claim[]; nowMs: number }>(path)
    const claim = claims.find((candidate) => candidate.claimId === claimId)
    if (claim === undefined) throw new CommandRefusal('claim_not_held', 'The claim was lost to another claim at once.')
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

  /** A claim that an earlier call with this id has made. Throws `claim_not_held` if it has ended. */
  const repeated = async (claimId: string | undefined): Promise<JudgedClaim | undefined> => {
    if (claimId === undefined || (await project()).claims[claimId] === undefined) return undefined
    const found = await judged(claimId)
    if (found.claim.state === 'held') return found
    throw new CommandRefusal('claim_not_held', 'The claim that the first such call made has ended.')
  }

  return {
    async claim(name, { leaseMs, agent, isForced = false, claimId: id }) {
      const made = await repeated(id)
      if (made !== undefined) return made
      const claimId = id ?? randomUUID()
      const type = isForced ? 'claim.force' : 'claim.acquire'
      await enter((now) => ({ type, claimId, cardId: cardOf(now, name).cardId, agent, leaseMs }))
      return judged(claimId)
    },
    async claimNext(column, board, { leaseMs, agent, claimId: id }) {
      const titled = async (claim: JudgedClaim) => ({
        ...claim,
        title: (await project()).cards[claim.claim.cardId]?.title ?? null,
      })
      const made = await repeated(id)
      if (made !== undefined) return titled(made)
      const claimId = id ?? randomUUID()
      /** Cards that another device claimed between the read and the command. */
      const taken = new Set<string>()
      for (;;) {
        let cardId: string | undefined
        try {
          await enter((now) => {
            const { columnId } = findColumn(now, column, board && findBoard(now, board).boardId)
            const isFree = (card: Card): boolean =>
              !taken.has(card.cardId) && heldClaim(now, card, Date.now()) === undefined
            cardId = cardsOf(now, columnId).find(isFree)?.cardId
            if (cardId === undefined) throw new CommandRefusal('not_found', 'Every card of the column is held.')
            return { type: 'claim.acquire', claimId, cardId, agent, leaseMs }
          })
          return titled(await judged(claimId))
        } catch (error) {
          if (!(error instanceof CommandRefusal)) throw error
          if (cardId === undefined && error.code === 'not_found') return undefined
          if (cardId === undefined || error.code !== 'claim_held') throw error
          taken.add(cardId)
        }
      }
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
  }
}
