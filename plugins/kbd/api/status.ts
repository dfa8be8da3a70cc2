/** What this node is, and who its peers are. */
import { json } from '../../../core/http/reply.ts'
import type { Handler } from '../../../core/http/route.ts'
import type { PeerOverview } from '../../peer/api.ts'
import type { Peers } from '../../peer/capabilities.ts'
import type { LedgerReads, ReceiptStore, SyncShared } from '../../sync/capabilities.ts'
import type { Boards } from '../capabilities.ts'

/** The parts of these routes. */
export interface StatusParts {
  readonly store: ReceiptStore
  readonly boards: Boards
  readonly version: string
  readonly profile: string
  readonly shared: Pick<SyncShared, 'ownKey'>
  /** Called at each request; undefined in a build without peers. */
  readonly peers: () => Pick<Peers, 'overview'> | undefined
}

const noStore = { 'cache-control': 'no-store' }

/** The handlers of `/api/v1/status` and `/api/v1/peers`. A build without peers lists none. */
export function createStatus(parts: StatusParts): Readonly<Record<'status' | 'peers', Handler>> {
  const { store, boards, version, profile, shared, peers } = parts
  const overview = async (): Promise<readonly PeerOverview[]> => (await peers()?.overview()) ?? []
  return {
    async status() {
      const names = await boards.projects()
      const projects = await boards.read((reads) => names.map((project) => ({ project, ...reads.standing(project) })))
      const outbox = await store.read(({ rows }) => outboxOf(rows))
      const listed = await overview()
      return json(
        200,
        {
          version,
          profile,
          endpointId: shared.ownKey().endpointId,
          projects,
          outbox,
          peers: { known: listed.length, connected: listed.filter(({ state }) => state === 'connected').length },
        },
        noStore,
      )
    },
    peers: async () => json(200, { peers: await overview() }, noStore),
  }
}

/** What waits to be sent. Receipts are numbered as they came, so that the first number waits the longest. */
function outboxOf(rows: LedgerReads['rows']): { readonly pending: number; readonly oldestAtMs: number | null } {
  const [found] = rows<[pending: number, oldestAtMs: number | null]>(
    `SELECT (SELECT count(*) FROM outbox),
            (SELECT created_at_ms FROM receipts WHERE no = (SELECT min(receipt_no) FROM outbox))`,
  )
  const [pending, oldestAtMs] = found!
  return { pending, oldestAtMs }
}
