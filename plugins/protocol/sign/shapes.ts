/** Drafts of pushes and commands: the members that a caller chooses. Signing adds the other members. */
import type { Acknowledgement } from '../acknowledgement.ts'
import type { Command, CommandEnvelope } from '../commands.ts'
import type { Frontier, PushRequest } from '../pushes.ts'

/** A push to be signed. */
export interface PushDraft {
  /** `kbd-control:<project>` or `kbd-content:<project>`. */
  readonly domain: string
  /** Endpoint ids; none by default. */
  readonly targetEndpointIds?: readonly string[]
  /** The frontier that the project must have; null, the default, for no condition. */
  readonly expectedFrontier?: Frontier | null
  /** A UUID; a fresh one by default. The same request sent twice is one push. */
  readonly requestId?: string | undefined
  /** Unix time in milliseconds; now by default. */
  readonly issuedAtMs?: number
}

/** A command to be signed. */
export interface CommandDraft {
  readonly project: string
  readonly command: Command
  /** The heads that the author has seen. The service returns them with the data of a project. */
  readonly parents: readonly string[]
  /** `strict`: apply only if nothing has changed since; `merge`, the default: apply beside the changes since. */
  readonly concurrency?: 'strict' | 'merge'
  /** A UUID; a fresh one by default. The same envelope sent twice is one command. */
  readonly commandId?: string
  /**
   * Unix time in milliseconds; now by default. Sign at the moment when the command is handed in: the service compares
   * this time with its own clock, and with no time of another command.
   */
  readonly issuedAtMs?: number
}

/** An acknowledgement of a peer that keeps an audit chain. */
export type SignedAcknowledgement = Acknowledgement & { readonly auditHead: string }

/** Re-exported, so that a caller needs only this module. */
export type { Command, CommandEnvelope, Frontier, PushRequest }
