/** Makes a claim, and decides which claims are void because of it, end with it, or are limited by it. */

import { type Codecs, hashOf } from '../codecs.ts'
import { contains } from '../graph/ranges.ts'
import { capOf, createCardPast } from './card-past.ts'
import { type ClaimMaker, type ClaimValue, type CommandContext, hasSeen, isLower } from './claim-types.ts'
import { overlap, startOf } from './spans.ts'
import type { ClaimRow, ClaimStatements } from './statements.ts'

/**
 * Adds the claim that an acquire or a force makes. Of concurrent claims of the card whose spans overlap, the one with
 * the lowest (tie, id) is not lost. A force ends the claims in its past; an acquire that comes before their end is
 * void. Returns undefined if the past of the command has a claim with the same claim id.
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
    : createCardPast(statements, context, cardId).succeed(command)
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
  const beaten = rivals.filter((rival) => !rival.lost && isLower(mine, rival))
  markOff(statements, context, cardId, beaten, 'lost')
  const taken = isForce ? statements.notEnded(p, cardId) : []
  markOff(
    statements,
    context,
    cardId,
    taken.filter((open) => open.pos !== pos && hasSeen(context, open.pos)),
    'ended',
  )
  limit(statements, context, cardId, claim)
  return { type: command.type, of: id, claimId, agent, leaseMs, expiresAtMs: endMs }
}

/** Marks claims that stand no longer, and finds the caps of the claims again that they limited. */
export function markOff(
  statements: ClaimStatements,
  context: CommandContext,
  card: string,
  claims: readonly ClaimRow[],
  mark: 'lost' | 'ended' | 'released',
): void {
  if (claims.length === 0) return
  statements.mark(
    mark,
    context.p,
    card,
    claims.map(({ pos }) => pos),
  )
  const capsMs = claims.map(({ fromMs }) => fromMs)
  for (const limited of statements.limitedTo(context.p, card, capsMs)) limit(statements, context, card, limited)
}

function limit(statements: ClaimStatements, context: CommandContext, card: string, claim: ClaimRow): void {
  const capMs = capOf(statements, context, card, claim)
  statements.setCap(context.p, card, claim.pos, Number.isFinite(capMs) ? capMs : null)
}
