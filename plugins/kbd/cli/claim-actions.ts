/** The actions on claims of cards. */
import { randomUUID } from 'node:crypto'
import { CommandRefusal } from '../../../core/command.ts'
import type { Claim, Project } from '../api.ts'
import type { ActionParts } from './action-parts.ts'
import type { BoardActions, JudgedClaim } from './api.ts'

/** Makes the actions. */
export function createClaimActions({
  client: { enter, project, key, service },
  cardOf,
}: ActionParts): Pick<BoardActions, 'claim' | 'renew' | 'release'> {
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

  return {
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
  }
}
