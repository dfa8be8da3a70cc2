/** What the features of boards give to other plugins at run time. */
import type { BeforeCommit, LedgerDriver } from '../sync/api.ts'
import type { LedgerReads } from '../sync/capabilities.ts'
import type { Applied, Standing } from './api.ts'
import type { PinnedBy } from './engine/admission/vouching.ts'
import type { TextSource } from './engine/content/put.ts'
import type { Entered, KbdEngine, OnStage } from './engine/engine.ts'
import type { KbdReads } from './engine/reads/reads.ts'
import type { Snapshot } from './engine/reads/snapshots.ts'

/** Where what is derived from boards is kept, inside a transaction. */
export interface DerivedPlace {
  readonly driver: LedgerDriver
  readonly beforeCommit: BeforeCommit
}

/** The boards of this node, for the other parts that show or change them. */
export interface Boards {
  /** Reads in one look: everything that `work` sees is of one moment. */
  read<T>(work: (reads: KbdReads, driver: LedgerDriver) => T): Promise<T>
  /** The body of GET project as it stands at the call or later, read in slices, with the standing that it shows. */
  snapshot(project: string): Promise<Snapshot>
  /** Whether a project exists, with commands or without. */
  exists(project: string): Promise<boolean>
  /** Names of all projects, in order. */
  projects(): Promise<readonly string[]>
  /** Takes the bytes of a signed command, as POST does: resolves once it is on disk, rejects with the code of a refusal. */
  enter(project: string, bytes: Uint8Array, onStage?: OnStage): Promise<Entered>
  /** Keeps a text under its SHA-256; false where nothing is new. What no command names yet counts against its source. */
  putContent(hash: string, bytes: Uint8Array, from?: TextSource): Promise<boolean>
  /** What peers and imports bring. */
  readonly engine: Pick<KbdEngine, 'prove' | 'admit'> & {
    /**
     * `admit` inside a transaction of the store, for the few commands of a push that is to be had whole. Undefined, with nothing
     * written, where with them something pinned is still missing, or one of them lies beside what is pinned. Throws the first
     * refusal. What it gives is to be called once they are on disk.
     */
    admitIn(
      ledger: LedgerReads,
      project: string,
      commands: Parameters<KbdEngine['admit']>[1],
      pinned: PinnedBy,
    ): (() => void) | undefined
  }
  /**
   * Calls `listener` after each command that is on disk, in the order in which they were taken, with where the project
   * stood then or later; until the returned function is called.
   */
  watch(listener: (applied: Applied, standing: Standing) => void): () => void
  /**
   * Calls `listener` inside the transaction of each command, and `arrived` inside that of each new text: for what is
   * derived from boards and kept beside them.
   */
  derive(
    listener: (applied: Applied, place: DerivedPlace) => void,
    arrived?: (hash: string, place: DerivedPlace) => void,
  ): void
}

/** The capabilities of the features of boards. */
export interface KbdCapabilities {
  /** The boards of this node. */
  Boards: Boards
}

declare module '../../core/plugin.ts' {
  interface Capabilities extends KbdCapabilities {}
}
