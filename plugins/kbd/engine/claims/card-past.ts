/** The claims of a card as the author of a command had seen them: which of them stood, and until when. */
import { contains } from '../graph/ranges.ts'
import { type ClaimMaker, type CommandContext, hasSeen, isLower } from './claim-types.ts'
import { overlap, startOf } from './spans.ts'
import type { ClaimRow, ClaimStatements } from './statements.ts'

/** The effect of the earlier claims of a card on an acquire. */
export interface Succession {
  /** The claim that has not ended, because of which the acquire is void for good, and its end. */
  readonly blocking: { readonly claim: ClaimRow; readonly endMs: number } | undefined
  /** The time from which the acquire counts. */
  readonly fromMs: number
}

/** The claims of a card in the past of a command. Valid until a claim of the card changes. */
export interface CardPast {
  /** Whether a claim that the author has seen is neither void, lost, released nor taken by force there. */
  stands(claim: ClaimRow): boolean
  /**
   * Judges an acquire. Nobody loses a claim before the end of the last entry that the taker saw, and an entry whose
   * time had not come for the taker is passed over. A claim that lies in the taker's future as a whole blocks the taker
   * only if their spans overlap.
   */
  succeed(command: ClaimMaker): Succession
}

/** Makes the view of a command. */
export function createCardPast(statements: ClaimStatements, context: CommandContext, card: string): CardPast {
  const { p, past, unseen, envelope } = context
  const seen = (pos: number): boolean => hasSeen(context, pos)
  let read: readonly ClaimRow[] | undefined
  /** The claims of the card that the author has seen. Read once: a wide graph asks for them for each of its claims. */
  const all = (): readonly ClaimRow[] => {
    if (read === undefined) {
      read = statements.from(p, card, 0).filter(({ pos }) => seen(pos))
      past.loadAt(read.map(({ pos }) => pos))
    }
    return read
  }

  const isLost = (claim: ClaimRow): boolean => {
    if (!claim.lost || unseen.length === 0) return claim.lost
    const before = past.unseen(claim.pos)
    return all().some((rival) => {
      if (rival.pos === claim.pos || !isLower(rival, claim) || !overlap(rival, claim)) return false
      return rival.pos < claim.pos ? contains(before, rival.pos) : contains(past.unseen(rival.pos), claim.pos)
    })
  }
  const stands = (claim: ClaimRow): boolean => {
    if (claim.void || isLost(claim)) return false
    if (claim.released && statements.releases(p, claim.pos).some(seen)) return false
    const hasTaken = (pos: number): boolean => seen(pos) && !contains(past.unseen(pos), claim.pos)
    return !claim.ended || !statements.forces(p, card, claim.pos).some(hasTaken)
  }
  /** The latest end of the entries of a claim that the author has seen and whose time has come for the author. */
  const endOf = (claim: ClaimRow): number =>
    statements
      .entries(p, claim.pos)
      .filter((entry) => startOf(entry) <= envelope.issuedAtMs && seen(entry.pos))
      .reduce((endMs, entry) => Math.max(endMs, entry.endMs), claim.endMs)
  const capOf = (claim: ClaimRow): number =>
    Math.min(
      ...statements
        .later(p, card, claim)
        .filter((taker) => seen(taker.pos) && !isLost(taker) && (!hadSeen(context, claim, taker) || stands(taker)))
        .map(({ fromMs }) => fromMs),
    )

  return {
    stands,
    succeed({ leaseMs }) {
      let fromMs = startOf(envelope)
      for (const old of statements.around(p, card, fromMs, envelope.issuedAtMs + leaseMs)) {
        if (!seen(old.pos) || !stands(old)) continue
        const endMs = Math.min(endOf(old), capOf(old))
        if (envelope.issuedAtMs < endMs) return { blocking: { claim: old, endMs }, fromMs }
        fromMs = Math.max(fromMs, endMs)
      }
      return { blocking: undefined, fromMs }
    },
  }
}

/** The cap of a claim by all commands that are here. Infinite if no claim of the card is later. */
export function capOf(statements: ClaimStatements, context: CommandContext, card: string, claim: ClaimRow): number {
  const takers = statements
    .later(context.p, card, claim)
    .filter((taker) => !taker.lost)
    // A claim that was released or taken by force before this one was made does not limit it.
    .filter((taker) => !(taker.released || taker.ended) || !hadSeen(context, claim, taker))
  return Math.min(...takers.map(({ fromMs }) => fromMs))
}

/** Whether the author of a claim had seen another one. */
function hadSeen({ past }: CommandContext, claim: ClaimRow, other: ClaimRow): boolean {
  return other.pos < claim.pos && !contains(past.unseen(claim.pos), other.pos)
}
