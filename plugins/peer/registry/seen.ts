/** What this node has seen of its peers, so that the owner can read it after a restart. */
import type { LedgerReads, ReceiptStore } from '../../sync/capabilities.ts'
import type { PeerRegistry } from './peer-registry.ts'

/** What was seen of one peer. */
export interface SeenPeer {
  readonly endpointId: string
  /** Unix time in milliseconds. */
  readonly lastSeenAtMs: number
  /** The last known heads of the peer, by project. */
  readonly heads: Readonly<Record<string, readonly string[]>>
}

/** What was seen of the peers, over the store. */
export interface SeenPeers {
  list(): Promise<readonly SeenPeer[]>
  /** Writes what was seen of peers that have an entry, and removes the rows of all that have none. */
  save(seen: readonly SeenPeer[]): Promise<void>
}

type Row = [endpointId: string, lastSeenAtMs: number, heads: string, sum: number]
const COLUMNS = 'endpoint_id, last_seen_at_ms, heads, sum'

/** Creates the access to the table `peer_seen`. */
export function createSeenPeers(
  store: Pick<ReceiptStore, 'read' | 'write'>,
  registry: Pick<PeerRegistry, 'listIn'>,
): SeenPeers {
  const readAll = ({ rows, sums }: Pick<LedgerReads, 'rows' | 'sums'>): readonly SeenPeer[] =>
    rows<Row>(`SELECT ${COLUMNS} FROM peer_seen`).map((row) => {
      sums.check(row)
      const [endpointId, lastSeenAtMs, heads] = row
      return { endpointId, lastSeenAtMs, heads: JSON.parse(heads) as SeenPeer['heads'] }
    })
  return {
    list: () => store.read(readAll),
    save: (seen) =>
      store.write((ledger) => {
        const { rows, sums } = ledger
        const listed = new Set(registry.listIn(ledger).map(({ endpointId }) => endpointId))
        for (const [endpointId] of rows<[string]>('SELECT endpoint_id FROM peer_seen'))
          if (!listed.has(endpointId)) rows('DELETE FROM peer_seen WHERE endpoint_id = ?', endpointId)
        for (const { endpointId, lastSeenAtMs, heads } of seen) {
          if (!listed.has(endpointId)) continue
          const values = sums.add([endpointId, lastSeenAtMs, JSON.stringify(heads)])
          rows(`INSERT OR REPLACE INTO peer_seen (${COLUMNS}) VALUES (?, ?, ?, ?)`, ...values)
        }
      }),
  }
}
