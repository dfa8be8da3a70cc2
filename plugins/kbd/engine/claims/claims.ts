/**
 * Claims: leases on cards. At most one claim of a card is in force at a time, independent of the order in which
 * commands arrive.
 *
 * An acquire or a force creates a claim. It is void if it came before the end of a claim that its author had seen
 * (card-past.ts), if a concurrent claim with a lower (tie, id) has the card at the same time, or if a force took the
 * card (acquire.ts). Otherwise it is released after a release (renew.ts), else it stands. The effect of a renewal or
 * release depends only on its own past. Nothing expires here, because readers compare times with their own clock.
 */

import type { Claim, Holder } from '../../api.ts'
import type { Codecs } from '../codecs.ts'
import type { EntityEntries } from '../fold/registers.ts'
import type { Past } from '../graph/past.ts'
import type { Sql } from '../sql.ts'
import { acquire } from './acquire.ts'
import { createCardPast } from './card-past.ts'
import { type ClaimCommand, type ClaimMaker, type ClaimValue, type CommandContext, isMaker } from './claim-types.ts'
import { type ClaimFollower, ownClaim, renewOrRelease } from './renew.ts'
import { judgeAt, type ShownClaim, shownClaims } from './shown-claims.ts'
import { createClaimStatements } from './statements.ts'

/** Folds and shows claims. */
export interface Claims {
  /** The value that the command writes to the claim register of its card; undefined if the command has no effect. */
  fold(context: CommandContext, command: ClaimCommand): ClaimValue | undefined
  /** The claims of a card that have a live entry, and the one in force by the graph alone. */
  shown(p: number, entries: EntityEntries, past: Past): readonly ShownClaim[]
  /** Whether the project has a claim with this id. */
  isUsed(p: number, claimId: string): boolean
  /** The claims of a project, or of one of its cards, that are in force at `nowMs` or whose time has not come. */
  lasting(p: number, nowMs: number, cardId?: string): readonly Claim[]
  /** The claim because of which an acquire would be void for good, as its author has seen it. */
  blocking(context: CommandContext, command: ClaimMaker): Holder | undefined
  /** The time of the claim that a renewal or release names; undefined if its author has not seen the claim. */
  madeAtMs(context: Pick<CommandContext, 'p' | 'unseen' | 'envelope'>, command: ClaimFollower): number | undefined
  /**
   * Standing claims of a device whose end lies ahead, those of the future too, in all projects, counted up to a limit.
   */
  countLive(device: string, nowMs: number, limit: number): number
}

/** Makes the claims. */
export function createClaims(sql: Sql, codecs: Codecs): Claims {
  const statements = createClaimStatements(sql)
  return {
    fold: (context, command) =>
      isMaker(command) ? acquire(statements, codecs, context, command) : renewOrRelease(statements, context, command),
    shown: (p, entries, past) => shownClaims(statements, p, entries, past),
    isUsed: (p, claimId) => statements.withId(p, claimId).length > 0,
    lasting: (p, nowMs, cardId) =>
      statements.lasting(p, nowMs, cardId).map((claim) => judgeAt(statements, p, claim, nowMs)),
    blocking(context, command) {
      const { blocking } = createCardPast(statements, context, command.cardId).succeed(command)
      if (blocking === undefined) return undefined
      const { claimId, device: deviceId, agent } = blocking.claim
      return { claimId, deviceId, agent, expiresAtMs: blocking.endMs }
    },
    madeAtMs: (context, command) => ownClaim(statements, context, command)?.issuedAtMs,
    countLive: statements.countLive,
  }
}
