/** Decides which claims of a card are shown, and in which state. */

import { CLOCK_TOLERANCE_MS } from '../../../protocol/clocks.ts'
import type { Claim } from '../../api.ts'
import type { EntityEntries } from '../fold/registers.ts'
import type { Past } from '../graph/past.ts'
import type { ClaimValue } from './claim-types.ts'
import type { ClaimEntry, ClaimRow, ClaimStatements, StandingClaim } from './statements.ts'

/** A claim as it is shown, the live entry that the claim register has of it, and the id of its acquire or force. */
export interface ShownClaim {
  readonly of: string
  readonly entryPos: number | undefined
  /** Whether it is the claim in force by the graph alone. */
  readonly isCurrent: boolean
  readonly claim: Claim
}

interface RegisterEntry {
  readonly pos: number
  readonly value: ClaimValue
}

/**
 * The claims of a card that have a live entry in the claim register, and the one in force by the graph alone, whose
 * entries a command about another claim may have replaced.
 */
export function shownClaims(
  statements: ClaimStatements,
  p: number,
  { entity, byName }: EntityEntries,
  past: Past,
): readonly ShownClaim[] {
  const card = entity.slice(entity.indexOf('/') + 1)
  const strongest = new Map<string, RegisterEntry>()
  for (const { pos, value: text } of byName.get('claim') ?? []) {
    const entry = { pos, value: JSON.parse(text) as ClaimValue }
    const other = strongest.get(entry.value.of)
    if (other === undefined || isStronger(entry, other, past)) strongest.set(entry.value.of, entry)
  }
  return statements.shown(p, card, [...strongest.keys()]).map((row): ShownClaim => {
    const live = strongest.get(row.id)
    const state = stateOf(row)
    // A renewal that leaves a gap, such as one from a clock that was ahead, is not shown: it neither lengthens nor
    // loses a claim.
    const run = { issuedAtMs: row.runIssuedAtMs, endMs: row.runEndMs }
    const entry = live !== undefined && isRelease(live) ? releaseOf(live, past) : run
    const isCurrent = state === 'held' && row.capMs === null
    return { of: row.id, entryPos: live?.pos, isCurrent, claim: toClaim({ ...row, card }, entry, state) }
  })
}

/** A released claim has the lease of its acquire, and ends at the time of the release. */
function releaseOf({ pos, value }: RegisterEntry, past: Past): ShownEntry {
  return { issuedAtMs: past.nodeAt(pos).issuedAtMs, endMs: value.expiresAtMs, leaseMs: value.leaseMs }
}

function stateOf(row: ClaimRow): Claim['state'] {
  const { lost, ended, released } = row
  if (row.void || lost || ended) return 'void'
  return released ? 'released' : 'held'
}

/** Of several entries of one claim a release wins, then the later expiry, then the lowest id. */
function isStronger(one: RegisterEntry, other: RegisterEntry, past: Past): boolean {
  if (isRelease(one) !== isRelease(other)) return isRelease(one)
  if (one.value.expiresAtMs !== other.value.expiresAtMs) return one.value.expiresAtMs > other.value.expiresAtMs
  return past.nodeAt(one.pos).id < past.nodeAt(other.pos).id
}

function isRelease({ value }: RegisterEntry): boolean {
  return value.type === 'claim.release'
}

/**
 * A claim that has not reached its last end, at the time `nowMs`: `held` with the latest end of the entries whose time
 * has come, or `future` with the entry whose time comes next.
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
function toClaim(
  { claimId, card: cardId, device: deviceId, agent, capMs, tie, generation }: StandingClaim,
  { issuedAtMs, endMs, leaseMs = endMs - issuedAtMs }: ShownEntry,
  state: Claim['state'],
): Claim {
  const expiresAtMs = state === 'held' || state === 'future' ? Math.min(endMs, capMs ?? endMs) : endMs
  return { claimId, cardId, deviceId, agent, leaseMs, issuedAtMs, expiresAtMs, tie, generation, state }
}
