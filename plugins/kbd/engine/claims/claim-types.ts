/** The types of claims, and the order among rivals. */
import type { Command, CommandEnvelope } from '../../api.ts'
import type { Past } from '../graph/past.ts'
import { contains, type Ranges } from '../graph/ranges.ts'

/** A command about a claim. */
export type ClaimCommand = Extract<Command, { type: `claim.${string}` }>

/** A command that makes a claim: an acquire or a force. */
export type ClaimMaker = Extract<ClaimCommand, { agent: unknown }>

/** The value of a claim register. */
export interface ClaimValue {
  readonly type: ClaimCommand['type']
  /** The id of the acquire or force. */
  readonly of: string
  readonly claimId: string
  readonly agent: string | null
  readonly leaseMs: number
  /** Of a released claim, the time of the release. */
  readonly expiresAtMs: number
}

/** The position of a command in the graph, and its past. */
export interface CommandContext {
  readonly p: number
  readonly pos: number
  readonly id: string
  readonly envelope: CommandEnvelope
  /** Positions that the author of the command had not seen. */
  readonly unseen: Ranges
  readonly past: Past
}

/** Whether a command is about a claim. */
export function isClaim(command: Command): command is ClaimCommand {
  return command.type.startsWith('claim.')
}

/** Whether a command about a claim makes it. */
export function isMaker(command: ClaimCommand): command is ClaimMaker {
  return command.type === 'claim.acquire' || command.type === 'claim.force'
}

/** Whether the author of a command had seen the command at a position. */
export function hasSeen({ unseen }: Pick<CommandContext, 'unseen'>, pos: number): boolean {
  return !contains(unseen, pos)
}

/** The order among rivals. A tie is a hash of the card and the key, so that no device chooses it. */
export function isLower(
  one: { readonly tie: string; readonly id: string },
  other: { readonly tie: string; readonly id: string },
): boolean {
  return one.tie === other.tie ? one.id < other.id : one.tie < other.tie
}
