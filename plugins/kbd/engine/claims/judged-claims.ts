/** Judges standing claims by a clock: which of their entries counts now. */
import { CLOCK_TOLERANCE_MS } from '../../../protocol/clocks.ts'
import type { Claim } from '../../api.ts'
import type { ClaimEntry, ClaimStatements, StandingClaim } from './statements.ts'

/**
 * A claim that has not reached its last end, at the time `nowMs`: `held` with the latest end of the entries whose time has come, or
 * `future` with the entry whose time comes next.
 */
export function judgeAt(statements: ClaimStatements, p: number, claim: StandingClaim, nowMs: number): Claim {
  const last = statements.lastEntry(p, claim.pos, nowMs + CLOCK_TOLERANCE_MS)
  if (last !== undefined && nowMs >= claim.fromMs) {
    const held = toClaim(claim, last, 'held')
    if (nowMs < held.expiresAtMs) return held
  }
  const next = statements.nextEntry(p, claim.pos, nowMs + CLOCK_TOLERANCE_MS) ?? last ?? claim
  return toClaim(claim, next, 'future')
}

/** The entry by which a claim is shown. A release has the lease of the acquire. */
export interface ShownEntry extends Pick<ClaimEntry, 'issuedAtMs' | 'endMs'> {
  readonly leaseMs?: number
}

/** The claim as it is shown, by one of its entries. */
export function toClaim(
  { claimId, card: cardId, device: deviceId, agent, capMs, tie, generation }: StandingClaim,
  { issuedAtMs, endMs, leaseMs = endMs - issuedAtMs }: ShownEntry,
  state: Claim['state'],
): Claim {
  const expiresAtMs = state === 'held' || state === 'future' ? Math.min(endMs, capMs ?? endMs) : endMs
  return { claimId, cardId, deviceId, agent, leaseMs, issuedAtMs, expiresAtMs, tie, generation, state }
}
