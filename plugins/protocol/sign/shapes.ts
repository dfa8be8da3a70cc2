/** What a device signs, member by member; everything that is not a choice of the caller is filled in. */
import type { Acknowledgement } from '../acknowledgement.ts'
import type { Command, CommandEnvelope } from '../commands.ts'
import type { Frontier, PushRequest } from '../pushes.ts'

/** A push to be signed. */
export interface PushDraft {
  /** `kbd-control:<project>` or `kbd-content:<project>`. */
  readonly domain: string
  /** Endpoint ids; none by default. */
  readonly targetEndpointIds?: readonly string[]
  /** The frontier that the project has to be at; null, the default, for no condition. */
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
  /** What the author has seen: the heads that the service gave with what it showed. */
  readonly parents: readonly string[]
  /** `strict`: only if nothing happened since; `merge`, the default: beside what happened since. */
  readonly concurrency?: 'strict' | 'merge'
  /** A UUID; a fresh one by default. The same envelope sent twice is one command. */
  readonly commandId?: string
  /**
   * Unix time in milliseconds: now by default, or `newestParentMs` where that is later. A command is refused where it is older
   * than a parent.
   */
  readonly issuedAtMs?: number
  /** The newest `issuedAtMs` of the parents; it may be ahead of this machine's clock. A refusal names it as `parentIssuedAtMs`. */
  readonly newestParentMs?: number
}

/** An acknowledgement of a peer that keeps an audit chain. */
export type SignedAcknowledgement = Acknowledgement & { readonly auditHead: string }

/** Re-exported, so that a caller needs this module alone. */
export type { Command, CommandEnvelope, Frontier, PushRequest }
