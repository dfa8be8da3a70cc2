/** The holder of a card, as clients of boards judge it. */
import type { Card, Claim, Project } from './api.ts'

/** The claim of a card that is in force at `nowMs`, Unix time in milliseconds. */
export function heldClaim(
  { claims }: Pick<Project, 'claims'>,
  { claim: id }: Pick<Card, 'claim'>,
  nowMs: number,
): Claim | undefined {
  const claim = id === null ? undefined : claims[id]
  return claim !== undefined && claim.state === 'held' && nowMs < claim.expiresAtMs ? claim : undefined
}
