/** Fetches what a peer has of a project. Commands are signed by their authors, so a pull needs no push. */
import { isSvcError } from '../../../../core/declare/errors.ts'
import type { PeerEntry } from '../../api.ts'
import type { Faults } from '../statistics/audit-faults.ts'
import { createPullCommands, type PullCommandsParts } from './pull-commands.ts'
import { createPullContent, type PullContentParts } from './pull-content.ts'

/** The result of a pull. */
export interface Pulled {
  /** The number of new commands. */
  readonly commands: number
  /** The number of new texts. */
  readonly content: number
  readonly frontier: { readonly heads: readonly string[] }
}

/** What a pull needs. */
export interface PullParts extends PullCommandsParts, PullContentParts {
  readonly faults: Pick<Faults, 'refused'>
}

/** Pulls a project from a peer. */
export type Pull = (entry: PeerEntry, project: string) => Promise<Pulled>

/** Refusals that depend on the command and its page alone. A peer that checks its commands does not cause them. */
const WRONG: ReadonlySet<string> = new Set([
  'signature_invalid',
  'malformed_request',
  'canonicalization_failed',
  'command_invalid',
  'frontier_unknown',
])

/** Creates the pulls of a node. */
export function createPull(parts: PullParts): Pull {
  const { boards, statistics, faults } = parts
  const pullCommands = createPullCommands(parts)
  const pullContent = createPullContent(parts)
  return async (entry, project) => {
    try {
      const commands = await pullCommands(entry, project)
      const content = await pullContent(entry, project)
      const { frontier } = await boards.read((reads) => reads.standing(project))
      return { commands, content, frontier }
    } catch (error) {
      // Refusals of this node go to the audit chain. Refusals of the peer are in its statistics already.
      const { code, message } = error as { readonly code?: unknown; readonly message: string }
      if (code === 'bad_answer' || (isSvcError(error) && WRONG.has(error.code)))
        statistics.failed(entry.endpointId, 'bad_answer', message)
      await faults.refused(entry.endpointId, project, error)
      throw error
    }
  }
}
