/** The capabilities of boards for other plugins. */

import type { Reply } from '../../core/http/reply.ts'
import type { SvcRequest } from '../../core/http/request.ts'
import type { Awaitable } from '../../core/kernel/values.ts'
import type { StoreDriver } from '../store/api.ts'
import type { BeforeCommit } from '../sync/api.ts'
import type { LedgerReads } from '../sync/capabilities.ts'
import type { Applied, PeerOverview, Standing } from './api.ts'
import type { PinnedBy } from './engine/admission/vouching.ts'
import type { TextSource } from './engine/content/put.ts'
import type { Entered, KbdEngine, OnStage } from './engine/engine.ts'
import type { KbdReads } from './engine/reads/reads.ts'
import type { Snapshot } from './engine/reads/snapshots.ts'

/** The open transaction in which a listener writes data that is derived from boards. */
export interface DerivedPlace {
  readonly driver: StoreDriver
  readonly beforeCommit: BeforeCommit
}

/** The boards of this node, for plugins that read or change them. */
export interface Boards {
  /** Reads boards. All reads of one `work` show the same moment. */
  read<T>(work: (reads: KbdReads, driver: StoreDriver) => T): Promise<T>
  /** The body of GET project at the call or later, with the standing that the body shows. Reads in slices. */
  snapshot(project: string): Promise<Snapshot>
  /** Whether a project exists, with commands or without. */
  exists(project: string): Promise<boolean>
  /** Names of all projects, in order. */
  projects(): Promise<readonly string[]>
  /**
   * Enters a signed command, as POST does. Resolves once the command is on disk. Rejects with the code of a refusal, or
   * with what `onStage` throws. The audit chain names `user`.
   */
  enter(project: string, bytes: Uint8Array, onStage?: OnStage, user?: string): Promise<Entered>
  /**
   * Stores a text under its SHA-256. Returns false if nothing is new. A text that no command names counts against its
   * source.
   */
  putContent(hash: string, bytes: Uint8Array, from?: TextSource): Promise<boolean>
  /** Admits commands that peers and imports bring. */
  readonly engine: Pick<KbdEngine, 'prove' | 'admit'> & {
    /**
     * `admit` inside a transaction of the store, for the few commands of one push: adds all of them or none. Returns
     * undefined if a pinned head is still missing, or if a command is not in the past of the pinned heads. Throws the
     * first refusal. Call the returned function once the commands are on disk.
     */
    admitIn(
      ledger: LedgerReads,
      project: string,
      commands: Parameters<KbdEngine['admit']>[1],
      pinned: PinnedBy,
    ): (() => void) | undefined
  }
  /**
   * Calls `listener` for each command once it is on disk, with the standing of the project then or later, until the
   * returned function is called. Commands of one commit may come in another order than in the graph.
   */
  watch(listener: (applied: Applied, standing: Standing) => void): () => void
  /**
   * Calls `listener` inside the transaction of each command, and `arrived` inside the transaction of each new text. Use
   * it for data that is derived from boards and stored beside them.
   */
  derive(
    listener: (applied: Applied, place: DerivedPlace) => void,
    arrived?: (hash: string, place: DerivedPlace) => void,
  ): void
}

/** A user who hands in a command, and the limit of its signatures. */
export interface CommandCaller {
  /** Named in the audit chain. */
  readonly user: string
  /** Called before a signature is verified. What it throws refuses the command. */
  verifying(): void
}

/** The handlers of boards that every surface calls, so that each gives the same answers. */
export interface BoardHandlers {
  /** All projects. */
  projects(request: SvcRequest): Awaitable<Reply>
  /** The commands of the project that the path names. */
  commands(request: SvcRequest): Awaitable<Reply>
  /** Takes the command in the body. Without a caller, it is a command of the owner of this node. */
  enter(request: SvcRequest, caller?: CommandCaller): Awaitable<Reply>
}

/** The capabilities of the features of boards. */
export interface KbdCapabilities {
  /** The handlers of boards, for every surface. */
  BoardHandlers: BoardHandlers
  /** The boards of this node. */
  Boards: Boards
  /** The peers in the answer of `GET /api/v1/peers`. Without it there are none. */
  PeerOverviews: () => Promise<readonly PeerOverview[]>
}

declare module '../../core/declare/plugin.ts' {
  interface Capabilities extends KbdCapabilities {}
}
