/** What this node is, and who its peers are. */
import { json } from '../../../core/http/reply.ts'
import type { Handler } from '../../../core/http/route.ts'
import type { ReceiptStore } from '../../sync/capabilities.ts'
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
      const pending = await store.read(({ rows }) => rows<[count: number]>('SELECT count(*) FROM outbox')[0]![0])
      return json(
        200,
        {
          version,
          profile,
          endpointId: key().endpointId,
          projects,
          outbox: { pending, oldestAtMs: null },
          peers: { known: 0, connected: 0 },
        },
        noStore,
      )
    },
    peers: () => json(200, { peers: [] }, noStore),
  }
}
