/** Claims: taking, keeping and giving back a card. */
import { session } from '../../../lib/service.ts'
import { heldClaim } from '../arrange.ts'
import { enter } from '../changes/changes.ts'
import type { Card, Claim, Project } from '../state.ts'

/** How long a claim made in the page lasts, in milliseconds. */
const LEASE_MS: number = 30 * 60_000

/** Whether the key of this console holds the claim. */
export function isOwn({ deviceId }: Claim): boolean {
  return session.value?.device?.keyId === deviceId
}

/** Claims a card, or renews the claim that this console holds. */
export function acquire(project: Project, card: Card): Promise<boolean> {
  const { cardId } = card
  const claim = heldClaim(project, card, Date.now())
  if (claim !== undefined && isOwn(claim))
    return enter({ type: 'claim.renew', claimId: claim.claimId, cardId, leaseMs: LEASE_MS })
  return enter({ type: 'claim.acquire', claimId: crypto.randomUUID(), cardId, agent: null, leaseMs: LEASE_MS })
}

/** Takes a card over from its holder. The scope of the device must name `claim.force`. */
export function force({ cardId }: Card): Promise<boolean> {
  return enter({ type: 'claim.force', claimId: crypto.randomUUID(), cardId, agent: null, leaseMs: LEASE_MS })
}

/** Gives a card back. */
export function release({ claimId, cardId }: Claim): Promise<boolean> {
  return enter({ type: 'claim.release', claimId, cardId })
}
