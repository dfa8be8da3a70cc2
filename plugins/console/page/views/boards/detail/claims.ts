/** Claims: claims a card, renews a claim, and releases a claim. */
import { session } from '../../../lib/service.ts'
import { heldClaim } from '../arrange.ts'
import { enter } from '../changes/changes.ts'
import type { Card, Claim, Project } from '../state.ts'

/** The lease of a claim from the page, in milliseconds. */
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

/** Takes over a card from its holder. Fails unless the scope of the device allows `claim.force`. */
export function force({ cardId }: Card): Promise<boolean> {
  return enter({ type: 'claim.force', claimId: crypto.randomUUID(), cardId, agent: null, leaseMs: LEASE_MS })
}

/** Releases a claim. */
export function release({ claimId, cardId }: Claim): Promise<boolean> {
  return enter({ type: 'claim.release', claimId, cardId })
}
