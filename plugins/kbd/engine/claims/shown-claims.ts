/** Decides which claims of a card are shown, and in which state. */
import type { Claim } from '../../api.ts'
import type { EntityEntries } from '../fold/registers.ts'
import type { Past } from '../graph/past.ts'
import type { ClaimValue } from './claim-types.ts'
import type { ClaimRow, ClaimStatements } from './statements.ts'

/** A claim as it is shown, the entry that shows it, and the id of its acquire or force. */
export interface ShownClaim {
  readonly of: string
  readonly entryPos: number
  readonly claim: Claim
}

interface ClaimEntry {
  readonly pos: number
  readonly value: ClaimValue
}

/** The claims of a card that have a live entry. Stores the expiry of the claim in force, which `countLive` reads. */
export function shownClaims(
  statements: ClaimStatements,
  p: number,
  { entity, byName }: EntityEntries,
  past: Past,
): readonly ShownClaim[] {
  const cardId = entity.slice(entity.indexOf('/') + 1)
  const strongest = new Map<string, ClaimEntry>()
  for (const { pos, value: text } of byName.get('claim') ?? []) {
    const entry = { pos, value: JSON.parse(text) as ClaimValue }
    const other = strongest.get(entry.value.of)
    if (other === undefined || isStronger(entry, other, past)) strongest.set(entry.value.of, entry)
  }
  const rows = new Map(statements.made(p, cardId, [...strongest.keys()]).map((row) => [row.id, row]))
  return [...strongest].map(([of, { pos, value }]): ShownClaim => {
    const row = rows.get(of)
    if (row === undefined) throw new Error(`The claim ${of} has no row.`)
    const state = stateOf(row)
    if (state === 'held') statements.setExpiry(value.expiresAtMs, p, cardId, row.pos)
    const { claimId, agent, leaseMs, expiresAtMs } = value
    const { device: deviceId, tie, generation } = row
    return {
      of,
      entryPos: pos,
      claim: { claimId, cardId, deviceId, agent, leaseMs, expiresAtMs, tie, generation, state },
    }
  })
}

function stateOf({ lost, ended, released }: ClaimRow): Claim['state'] {
  if (lost || ended) return 'void'
  return released ? 'released' : 'held'
}

/** Of several entries of one claim a release wins, then the later expiry, then the lowest id. */
function isStronger(one: ClaimEntry, other: ClaimEntry, past: Past): boolean {
  if (isRelease(one) !== isRelease(other)) return isRelease(one)
  if (one.value.expiresAtMs !== other.value.expiresAtMs) return one.value.expiresAtMs > other.value.expiresAtMs
  return past.nodeAt(one.pos).id < past.nodeAt(other.pos).id
}

function isRelease({ value }: ClaimEntry): boolean {
  return value.type === 'claim.release'
}
