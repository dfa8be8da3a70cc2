/** The actions on claims of cards. */
import { randomUUID } from 'node:crypto'
import { CommandRefusal } from '../../../core/declare/command.ts'
import type { Claim, Project } from '../api.ts'
import type { ActionParts } from './action-parts.ts'
import type { BoardActions } from './api.ts'
import { createClaimNext } from './claim-next.ts'
import { createMadeClaims } from './made-claims.ts'

/** Makes the actions. */
export function createClaimActions({
  client,
  cardOf,
}: ActionParts): Pick<BoardActions, 'claim' | 'claimNext' | 'renew' | 'release'> {
  const { enter, key } = client
  const claims = createMadeClaims(client)
  /** The device's own claim of a card. */
  const ownClaim = (now: Project, name: string): Claim => {
    const card = cardOf(now, name)
    const claim = card.claim === null ? undefined : now.claims[card.claim]
    if (claim?.deviceId !== key().keyId)
      throw new CommandRefusal('claim_not_held', 'This device does not hold the card.')
    return claim
  }

  return {
    claimNext: createClaimNext(client, claims),
    async claim(name, { leaseMs, agent, isForced = false, claimId: id }) {
      const claimId = id ?? randomUUID()
      const type = isForced ? 'claim.force' : 'claim.acquire'
      return (
        (await claims.repeated(id)) ??
        claims.make(claimId, (now) => ({ type, claimId, cardId: cardOf(now, name).cardId, agent, leaseMs }))
      )
    },
    async renew(name, leaseMs) {
      let claimId = ''
      await enter((now) => {
        const claim = ownClaim(now, name)
        claimId = claim.claimId
        return { type: 'claim.renew', claimId, cardId: claim.cardId, leaseMs }
      })
      return claims.judged(claimId)
    },
    async release(name) {
      let claimId = ''
      const entered = await enter((now) => {
        const claim = ownClaim(now, name)
        claimId = claim.claimId
        return { type: 'claim.release', claimId, cardId: claim.cardId }
      })
      return { claimId, entered }
    },
  }
}
