/**
 * The joins of this node that have begun and have not ended. A join is stored before the other node is called, so that
 * a process that is killed, or an answer that is lost, leaves no node entered alone: the join is repeated until its
 * outcome is known.
 */
import type { Ledger, ReceiptStore } from '../../sync/capabilities.ts'
import { deleteJoins, readJoins, type UnfinishedJoin, writeJoin } from './statements.ts'

export type { UnfinishedJoin } from './statements.ts'

/** The joins over the store. */
export interface Joins {
  /** Stores a join. Returns whether a join with the same code had begun before and has not ended. */
  beginIn(ledger: Ledger, join: UnfinishedJoin): boolean
  /**
   * Ends a join. Returns false if it had ended before, or if the owner has changed the entry of the other node since.
   */
  endIn(ledger: Ledger, join: UnfinishedJoin): boolean
  list(): Promise<readonly UnfinishedJoin[]>
}

/** Creates the joins over a store. */
export function createJoins(store: Pick<ReceiptStore, 'read'>): Joins {
  const isBegun = (ledger: Ledger, { endpointId, code }: UnfinishedJoin): boolean =>
    readJoins(ledger).some((join) => join.endpointId === endpointId && join.code === code)
  return {
    beginIn(ledger, join) {
      const wasBegun = isBegun(ledger, join)
      writeJoin(ledger, join)
      return wasBegun
    },
    endIn(ledger, join) {
      const wasBegun = isBegun(ledger, join)
      if (wasBegun) deleteJoins(ledger, join.endpointId, join.code)
      return wasBegun
    },
    list: () => store.read(readJoins),
  }
}
