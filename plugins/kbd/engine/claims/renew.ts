/** Renews and releases claims. Both have an effect only if the claim stands in the past of the command. */
import { markOff } from './acquire.ts'
import { createCardPast } from './card-past.ts'
import { type ClaimCommand, type ClaimMaker, type ClaimValue, type CommandContext, hasSeen } from './claim-types.ts'
import { runEndOf } from './spans.ts'
import type { ClaimRow, ClaimStatements } from './statements.ts'

/** A command that renews or releases a claim. */
export type ClaimFollower = Exclude<ClaimCommand, ClaimMaker>

/**
 * Applies a renewal or a release. Returns undefined if the device has no such claim in the past of the command, or if
 * the command is earlier than the claim.
 */
export function renewOrRelease(
  statements: ClaimStatements,
  context: CommandContext,
  command: ClaimFollower,
): ClaimValue | undefined {
  const { p, pos, envelope } = context
  const { cardId, claimId } = command
  const claim = ownClaim(statements, context, command)
  if (claim === undefined || envelope.issuedAtMs < claim.issuedAtMs) return undefined
  if (!createCardPast(statements, context, cardId).stands(claim)) return undefined
  const shared = { type: command.type, of: claim.id, claimId, agent: claim.agent }
  if (command.type === 'claim.renew') {
    const endMs = envelope.issuedAtMs + command.leaseMs
    statements.insertEntry(p, claim.pos, { pos, issuedAtMs: envelope.issuedAtMs, endMs })
    statements.lengthen(p, cardId, claim.pos, endMs, runEndOf(statements, p, claim, endMs))
    return { ...shared, leaseMs: command.leaseMs, expiresAtMs: endMs }
  }
  statements.insertRelease(p, claim.pos, pos)
  if (!claim.released) markOff(statements, context, cardId, [claim], 'released')
  return { ...shared, leaseMs: claim.endMs - claim.issuedAtMs, expiresAtMs: envelope.issuedAtMs }
}

/** The claim that a renewal or release names, if the author of the command has seen it. */
export function ownClaim(
  statements: ClaimStatements,
  context: Pick<CommandContext, 'p' | 'unseen' | 'envelope'>,
  { claimId, cardId }: ClaimFollower,
): ClaimRow | undefined {
  return statements
    .ofDevice(context.p, claimId, cardId, context.envelope.signerKeyId)
    .filter((row) => hasSeen(context, row.pos))
    .sort((one, other) => (one.id < other.id ? -1 : 1))[0]
}
