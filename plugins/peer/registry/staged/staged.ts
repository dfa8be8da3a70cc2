/**
 * Commands of a push that are not shown yet, because something that the push pinned is missing. Parents come before
 * children.
 */
import type { ReceiptStore } from '../../../sync/capabilities.ts'
import { failRegistry } from '../peer-registry.ts'
import {
  addStagedBytes,
  insertStaged,
  isStaged,
  isWaiting,
  lastStaged,
  type StagedCommand,
  stagedBytes,
  stagedGraph,
  stagedText,
} from './statements.ts'

/** The waiting commands of pushes, by the number of the push in the inbox. */
export interface Staged {
  /**
   * Adds commands after those that wait already. Known commands keep their place, and a push that is finished gets
   * none. Rejects with `rate_limited` if too many bytes of the peer wait.
   */
  add(inbox: number, peer: string, commands: readonly StagedCommand[]): Promise<void>
  /** Which of these commands wait. */
  known(inbox: number, ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Ids and parents of all commands that wait, in the order in which they came. */
  graph(inbox: number): Promise<readonly Omit<StagedCommand, 'text'>[]>
  /** The texts of the commands that wait, in the order of `ids`. */
  texts(inbox: number, ids: readonly string[]): Promise<readonly string[]>
}

/** Creates the waiting commands over a store. All pushes of one peer may have `maxBytes` together. */
export function createStaged(store: Pick<ReceiptStore, 'read' | 'write'>, maxBytes: number, now: () => number): Staged {
  return {
    add: (inbox, peer, commands) =>
      store.write((ledger) => {
        if (!isWaiting(ledger, inbox)) return
        const fresh = commands.filter(({ id }) => !isStaged(ledger, inbox, id))
        const bytes = fresh.reduce((sum, { text }) => sum + text.length, 0)
        if (stagedBytes(ledger, peer) + bytes > maxBytes)
          throw failRegistry('rate_limited', {
            message: 'Too much of this peer waits already; try again later.',
            headers: { 'retry-after': '60' },
          })
        let seq = lastStaged(ledger, inbox)
        for (const command of fresh) insertStaged(ledger, inbox, ++seq, command)
        addStagedBytes(ledger, inbox, bytes, now())
      }),
    known: (inbox, ids) => store.read((ledger) => new Set(ids.filter((id) => isStaged(ledger, inbox, id)))),
    graph: (inbox) => store.read((ledger) => stagedGraph(ledger, inbox)),
    texts: (inbox, ids) => store.read((ledger) => ids.flatMap((id) => stagedText(ledger, inbox, id) ?? [])),
  }
}
