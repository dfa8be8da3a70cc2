/**
 * The time of claims. Each entry of a claim, that is its acquire or force and each renewal, has a span: from
 * `CLOCK_TOLERANCE_MS` before its `issuedAtMs` until its lease ends. A claim is in force while one of its spans lasts, and
 * at most until its cap: the moment from which a later claim of the card counts. Every rule depends only on commands and
 * their times, never on a clock here, so that every node decides alike.
 */
import { CLOCK_TOLERANCE_MS } from '../../../protocol/clocks.ts'
import { contains } from '../graph/ranges.ts'
import { type ClaimMaker, type CommandContext, hasSeen, isLower } from './claim-types.ts'
import type { ClaimRow, ClaimStatements } from './statements.ts'

/** The span of an acquire or a force. Unix time in milliseconds. */
interface Span {
  readonly issuedAtMs: number
  readonly endMs: number
}

/** The time from which an entry counts. Clocks that are right differ by less, so a reader does not miss a new claim. */
export function startOf({ issuedAtMs }: Pick<Span, 'issuedAtMs'>): number {
  return issuedAtMs - CLOCK_TOLERANCE_MS
}

/** Whether the spans of two claims overlap. Concurrent claims are rivals only then. */
export function overlap(one: Span, other: Span): boolean {
  return startOf(one) < other.endMs && startOf(other) < one.endMs
}

/** The end of the run of a claim, after an entry with a new end was added. */
export function runEndOf(statements: ClaimStatements, p: number, claim: ClaimRow, newEndMs: number): number {
  let { runEndMs } = claim
  // An entry whose time comes after the run has ended begins no run of its own, until other entries close the gap.
  while (Math.max(claim.lastEndMs, newEndMs) > runEndMs) {
    const endMs = statements.reaches(p, claim.pos, runEndMs + CLOCK_TOLERANCE_MS, runEndMs)
    if (endMs === undefined) break
    runEndMs = endMs
  }
  return runEndMs
}

/** The effect of the earlier claims of a card on an acquire. */
export interface Succession {
  /** The claim that has not ended, because of which the acquire is void for good. */
  readonly blocking: { readonly claim: ClaimRow; readonly endMs: number } | undefined
  /** The time from which the acquire counts. */
  readonly fromMs: number
}

/**
 * Judges an acquire by the claims in its past. Nobody loses a claim before the end of the last entry that the taker saw, and an
 * entry whose time had not come for the taker is passed over. A claim that lies in the taker's future as a whole blocks the taker only
 * if their spans overlap.
 */
export function succeed(statements: ClaimStatements, context: CommandContext, command: ClaimMaker): Succession {
  const { p, envelope } = context
  const { issuedAtMs } = envelope
  let fromMs = startOf(envelope)
  for (const old of statements.around(p, command.cardId, fromMs, issuedAtMs + command.leaseMs + CLOCK_TOLERANCE_MS)) {
    if (!hasSeen(context, old.pos) || !standsIn(statements, context, command.cardId, old)) continue
    const endMs = Math.min(endSeenBy(statements, context, old), capSeenBy(statements, context, command.cardId, old))
    if (issuedAtMs < endMs) return { blocking: { claim: old, endMs }, fromMs }
    fromMs = Math.max(fromMs, endMs)
  }
  return { blocking: undefined, fromMs }
}

/** The latest end of the entries of a claim that a command has seen and whose time has come for its author. */
function endSeenBy(statements: ClaimStatements, context: CommandContext, claim: ClaimRow): number {
  let endMs = claim.endMs
  for (const entry of statements.entries(context.p, claim.pos))
    if (entry.endMs > endMs && startOf(entry) <= context.envelope.issuedAtMs && hasSeen(context, entry.pos))
      endMs = entry.endMs
  return endMs
}

/** The cap of a claim by the claims in the past of a command. */
function capSeenBy(statements: ClaimStatements, context: CommandContext, card: string, claim: ClaimRow): number {
  const takers = statements
    .later(context.p, card, claim)
    .filter((taker) => hasSeen(context, taker.pos) && !isLostIn(statements, context, card, taker))
    .filter((taker) => !hadSeen(context, claim, taker) || standsIn(statements, context, card, taker))
  return Math.min(...takers.map(({ fromMs }) => fromMs))
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

/** Whether a claim is neither void, released nor taken by force in the past of a command whose author has seen it. */
export function standsIn(statements: ClaimStatements, context: CommandContext, card: string, claim: ClaimRow): boolean {
  if (claim.void) return false
  // A claim that stands with every command taken together stands in each past as well.
  if (!claim.lost && !claim.ended && !claim.released) return true
  if (statements.releases(context.p, claim.pos).some((pos) => hasSeen(context, pos))) return false
  const isTaken = (pos: number): boolean => hasSeen(context, pos) && !contains(context.past.unseen(pos), claim.pos)
  if (claim.ended && statements.forces(context.p, card, claim.pos).some(isTaken)) return false
  return !isLostIn(statements, context, card, claim)
}

/** Whether a claim has a rival with a lower tie in the past of a command whose author has seen the claim. */
function isLostIn(statements: ClaimStatements, context: CommandContext, card: string, claim: ClaimRow): boolean {
  if (!claim.lost) return false
  const { p, past } = context
  const before = past.unseen(claim.pos)
  return statements.from(p, card, before[0] ?? claim.pos).some((rival) => {
    if (rival.pos === claim.pos || !hasSeen(context, rival.pos)) return false
    const isConcurrent =
      rival.pos < claim.pos ? contains(before, rival.pos) : contains(past.unseen(rival.pos), claim.pos)
    return isConcurrent && overlap(rival, claim) && isLower(rival, claim)
  })
}

/** Whether the author of a claim had seen another one. */
function hadSeen({ past }: CommandContext, claim: ClaimRow, other: ClaimRow): boolean {
  return other.pos < claim.pos && !contains(past.unseen(claim.pos), other.pos)
}
