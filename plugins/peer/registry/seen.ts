/** What this node has seen of its peers, so that the owner can read it after a restart. */
import type { ReceiptStore } from '../../sync/capabilities.ts'
import type { PeerRegistry } from './peer-registry.ts'
import { deleteSeenExcept, readSeen, type SeenPeer, writeSeen } from './statements.ts'

export type { SeenPeer } from './statements.ts'

/** What was seen of the peers, over the store. */
export interface SeenPeers {
  list(): Promise<readonly SeenPeer[]>
  /** Writes what was seen of peers that have an entry, and removes the rows of all that have none. */
  save(seen: readonly SeenPeer[]): Promise<void>
}

/** Creates the access to what was seen. */
export function createSeenPeers(
  store: Pick<ReceiptStore, 'read' | 'write'>,
  registry: Pick<PeerRegistry, 'listIn'>,
): SeenPeers {
  return {
    list: () => store.read(readSeen),
    save: (seen) =>
      store.write((ledger) => {
        const listed = new Set(registry.listIn(ledger).map(({ endpointId }) => endpointId))
        deleteSeenExcept(ledger, listed)
        for (const peer of seen) if (listed.has(peer.endpointId)) writeSeen(ledger, peer)
      }),
  }
}
