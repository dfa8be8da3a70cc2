/**
 * Claims: leases on cards. At most one claim of a card is in force, independent of the order in which commands arrive.
 *
 * An acquire or a force creates a claim. It is void if it is lost or ended: lost for good once a concurrent claim has a
 * lower (tie, id), ended once a later claim has it in its past (acquire.ts). Otherwise it is released after a release
 * (renew.ts), else held. The effect of a renewal or release depends only on its own past. Nothing expires here, because readers
 * compare the expiry with their own clock.
 */

import type { Codecs } from '../codecs.ts'
import type { EntityEntries } from '../fold/registers.ts'
import type { Graph } from '../graph/graph.ts'
import type { Past } from '../graph/past.ts'
import type { Sql } from '../sql.ts'
import { acquire } from './acquire.ts'
import { type ClaimCommand, type ClaimValue, type CommandContext, isMaker } from './claim-types.ts'
import { renewOrRelease } from './renew.ts'
import { type ShownClaim, shownClaims } from './shown-claims.ts'
import { createClaimStatements } from './statements.ts'

/** Folds and shows claims. */
export interface Claims {
  /** The value that the command writes to the claim register of its card; undefined if the command has no effect. */
  fold(context: CommandContext, command: ClaimCommand): ClaimValue | undefined
  /** The claims of a card that have a live entry. Stores the expiry of the claim in force, which `countLive` reads. */
  shown(p: number, entries: EntityEntries, past: Past): readonly ShownClaim[]
  /** Whether the project has a claim with this id. */
  isUsed(p: number, claimId: string): boolean
  /** Claims of a device that are in force and not expired, in all projects, counted up to a limit. */
  countLive(device: string, nowMs: number, limit: number): number
}

/** Makes the claims. */
export function createClaims(sql: Sql, graph: Graph, codecs: Codecs): Claims {
  const statements = createClaimStatements(sql)
  return {
    fold: (context, command) =>
      isMaker(command)
        ? acquire(statements, codecs, context, command)
        : renewOrRelease(statements, graph, context, command),
    shown: (p, entries, past) => shownClaims(statements, p, entries, past),
    isUsed: (p, claimId) => statements.withId(p, claimId).length > 0,
    countLive: statements.countLive,
  }
}
