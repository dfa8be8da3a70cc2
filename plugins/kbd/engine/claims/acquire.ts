/** Makes a claim, and decides what makes it or other claims void: which rivals are lost, and which earlier claims are ended. */

import { type Codecs, hashOf } from '../codecs.ts'
import { contains } from '../graph/ranges.ts'
import { type ClaimMaker, type ClaimValue, type CommandContext, hasSeen, isLower } from './claim-types.ts'
import type { ClaimStatements } from './statements.ts'

/**
 * Adds the claim that an acquire or a force makes. Concurrent claims of the card with a higher (tie, id) are lost; claims in
 * the past of the command are ended. Returns undefined if the past of the command has a claim with the same claim id.
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
  const { signerKeyId } = envelope
  const mine = { tie: hashOf(codecs, ['svc-kbd-claim-2', cardId, signerKeyId]), id }
  const [firstUnseen] = unseen
  const rivals =
    firstUnseen === undefined ? [] : statements.from(p, cardId, firstUnseen).filter((row) => contains(unseen, row.pos))
  const ordinal = statements.lastOrdinal(p, cardId) + 1
  for (const rival of rivals) if (!rival.lost && isLower(mine, rival)) statements.mark('lost', p, cardId, rival.pos)
  for (const open of statements.notEnded(p, cardId))
    if (hasSeen(context, open.pos)) statements.mark('ended', p, cardId, open.pos)
  const expiresAtMs = envelope.issuedAtMs + leaseMs
  statements.insert(p, {
    ...mine,
    card: cardId,
    pos,
    claimId,
    device: signerKeyId,
    agent,
    generation: ordinal - rivals.length,
    ordinal,
    lost: rivals.some((rival) => isLower(rival, mine)),
    expiresAtMs,
  })
  return { type: command.type, of: id, claimId, agent, leaseMs, expiresAtMs }
}
