/** Makes a claim, and decides which claims are void because of it, end with it, or are limited by it. */

import { type Codecs, hashOf } from '../codecs.ts'
import { contains } from '../graph/ranges.ts'
import { type ClaimMaker, type ClaimValue, type CommandContext, hasSeen, isLower } from './claim-types.ts'
import { capOf, overlap, startOf, succeed } from './spans.ts'
import type { ClaimRow, ClaimStatements } from './statements.ts'

/**
 * Adds the claim that an acquire or a force makes. Of concurrent claims of the card whose spans overlap, the one with the lowest
 * (tie, id) is not lost. A force ends the claims in its past; an acquire that comes before their end is void. Returns undefined
 * if the past of the command has a claim with the same claim id.
 */
export function acquire(
  statements: ClaimStatements,
  codecs: Codecs,
  context: CommandContext,
  command: ClaimMaker,
): ClaimValue | undefined {
  const { p, pos, id, envelope, unseen } = context
  const { cardId, claimId, agent, leaseMs } = command
  if (statements.withId(p, claimId).some((row) => hasSeen(context, row.pos))) return undefined
  const { signerKeyId, issuedAtMs } = envelope
  const mine = { tie: hashOf(codecs, ['svc-kbd-claim-2', cardId, signerKeyId]), id, issuedAtMs }
  const endMs = issuedAtMs + leaseMs
  const [firstUnseen] = unseen
  const others =
    firstUnseen === undefined ? [] : statements.from(p, cardId, firstUnseen).filter((row) => contains(unseen, row.pos))
  const rivals = others.filter((other) => overlap(other, { issuedAtMs, endMs }))
  const isForce = command.type === 'claim.force'
  const { blocking, fromMs } = isForce
    ? { blocking: undefined, fromMs: startOf(mine) }
    : succeed(statements, context, command)
  const ordinal = statements.lastOrdinal(p, cardId) + 1
  const claim: ClaimRow = {
    ...mine,
    pos,
    claimId,
    device: signerKeyId,
    agent,
    generation: ordinal - others.length,
    endMs,
    lastEndMs: endMs,
    runEndMs: endMs,
    fromMs,
    capMs: null,
    void: blocking !== undefined,
    lost: rivals.some((rival) => isLower(rival, mine)),
    ended: false,
    released: false,
  }
  statements.insert(p, { ...claim, card: cardId, ordinal, isForce })
  statements.insertEntry(p, pos, { pos, issuedAtMs, endMs })
  if (!claim.void && !claim.lost) statements.limitEarlier(p, cardId, claim)
  for (const rival of rivals)
    if (!rival.lost && isLower(mine, rival)) markOff(statements, context, cardId, rival, 'lost')
  if (isForce)
    for (const open of statements.notEnded(p, cardId))
      if (open.pos !== pos && hasSeen(context, open.pos)) markOff(statements, context, cardId, open, 'ended')
  limit(statements, context, cardId, claim)
  return { type: command.type, of: id, claimId, agent, leaseMs, expiresAtMs: endMs }
}

/** Marks a claim that stands no longer, and finds the caps of the claims again that it limited. */
export function markOff(
  statements: ClaimStatements,
  context: CommandContext,
  card: string,
  claim: ClaimRow,
  mark: 'lost' | 'ended' | 'released',
): void {
  statements.mark(mark, context.p, card, claim.pos)
  for (const limited of statements.limitedTo(context.p, card, claim.fromMs)) limit(statements, context, card, limited)
}

function limit(statements: ClaimStatements, context: CommandContext, card: string, claim: ClaimRow): void {
  const capMs = capOf(statements, context, card, claim)
  statements.setCap(context.p, card, claim.pos, Number.isFinite(capMs) ? capMs : null)
}
