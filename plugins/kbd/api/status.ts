/** What this node is, and who its peers are. */
import { json } from '../../../core/http/reply.ts'
import type { Handler } from '../../../core/http/route.ts'
import type { LedgerReads, ReceiptStore } from '../../sync/capabilities.ts'
import type { Boards } from '../capabilities.ts'
import type { EndpointKey } from './endpoint-key.ts'

/** The parts of these routes. */
export interface StatusParts {
  readonly store: ReceiptStore
  readonly boards: Boards
  readonly version: string
  readonly profile: string
  readonly key: () => EndpointKey
}

const noStore = { 'cache-control': 'no-store' }

/** The handlers of `/api/v1/status` and `/api/v1/peers`. No build has peers yet: none is known. */
export function createStatus(parts: StatusParts): Readonly<Record<'status' | 'peers', Handler>> {
  const { store, boards, version, profile, key } = parts
  return {
    async status() {
      const names = await boards.projects()
      const projects = await boards.read((reads) => names.map((project) => ({ project, ...reads.standing(project) })))
      const outbox = await store.read(({ rows }) => outboxOf(rows))
      return json(
        200,
        {
          version,
          profile,
          endpointId: key().endpointId,
          projects,
          outbox,
          peers: { known: 0, connected: 0 },
        },
        noStore,
      )
    },
    peers: () => json(200, { peers: [] }, noStore),
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
