/** Renews and releases claims. Both have an effect only if the claim is in force in the past of the command. */
import type { Graph } from '../graph/graph.ts'
import { contains } from '../graph/ranges.ts'
import {
  type ClaimCommand,
  type ClaimMaker,
  type ClaimValue,
  type CommandContext,
  hasSeen,
  isClaim,
  isLower,
  isMaker,
} from './claim-types.ts'
import type { ClaimRow, ClaimStatements } from './statements.ts'

/** A command that renews or releases a claim. */
export type ClaimFollower = Exclude<ClaimCommand, ClaimMaker>

/** Applies a renewal or a release. Returns undefined if the device holds no such claim in the past of the command. */
export function renewOrRelease(
  statements: ClaimStatements,
  graph: Graph,
  context: CommandContext,
  command: ClaimFollower,
): ClaimValue | undefined {
  const { p, pos, envelope } = context
  const { cardId, claimId } = command
  const [claim] = statements
    .ofDevice(p, claimId, cardId, envelope.signerKeyId)
    .filter((row) => hasSeen(context, row.pos))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
  if (claim === undefined || !isInForce(statements, context, cardId, claim)) return undefined
  const shared = { type: command.type, of: claim.id, claimId, agent: claim.agent }
  if (command.type === 'claim.renew')
    return { ...shared, leaseMs: command.leaseMs, expiresAtMs: envelope.issuedAtMs + command.leaseMs }
  statements.mark('released', p, cardId, claim.pos)
  statements.insertRelease(p, claim.pos, pos)
  return { ...shared, leaseMs: leaseOf(graph, p, claim), expiresAtMs: envelope.issuedAtMs }
}

/** Whether a claim is in force in the past of a command whose author has seen the claim. */
function isInForce(statements: ClaimStatements, context: CommandContext, card: string, claim: ClaimRow): boolean {
  // A claim that is in force with every command taken together is in force in each past as well.
  if (!claim.lost && !claim.ended && !claim.released) return true
  const { p, past } = context
  if (statements.releases(p, claim.pos).some((pos) => hasSeen(context, pos))) return false
  const before = past.unseen(claim.pos)
  const rivals = statements.from(p, card, before[0] ?? claim.pos)
  return !rivals.some((rival) => {
    if (rival.pos === claim.pos || !hasSeen(context, rival.pos)) return false
    if (rival.pos < claim.pos) return contains(before, rival.pos) && isLower(rival, claim)
    return !contains(past.unseen(rival.pos), claim.pos) || isLower(rival, claim)
  })
}

/** The lease that the command asked for which made a claim. */
function leaseOf(graph: Graph, p: number, claim: ClaimRow): number {
  const { command } = graph.command(p, claim.pos)
  if (!isClaim(command) || !isMaker(command)) throw new Error(`The claim ${claim.id} is made by no acquire.`)
  return command.leaseMs
}
