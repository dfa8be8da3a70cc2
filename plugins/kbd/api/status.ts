/** The status of this node, and its peers. */
import { json } from '../../../core/http/reply.ts'
import type { Handler } from '../../../core/http/route.ts'
import type { ReceiptStore, SyncShared } from '../../sync/capabilities.ts'
import type { PeerOverview } from '../api.ts'
import type { Boards, KbdCapabilities } from '../capabilities.ts'
import { readOutbox } from './statements.ts'

/** The parts of these routes. */
export interface StatusParts {
  readonly store: ReceiptStore
  readonly boards: Boards
  readonly version: string
  readonly profile: string
  readonly shared: Pick<SyncShared, 'ownKey'>
  /** Called at each request; undefined in a build without peers. */
  readonly peers: () => KbdCapabilities['PeerOverviews'] | undefined
}

const noStore = { 'cache-control': 'no-store' }

/** The handlers of `/api/v1/status` and `/api/v1/peers`. A build without peers lists none. */
export type StatusHandlers = Readonly<Record<'status' | 'peers', Handler>>

/** Creates them. */
export function createStatus(parts: StatusParts): StatusHandlers {
  const { store, boards, version, profile, shared, peers } = parts
  const overview = async (): Promise<readonly PeerOverview[]> => (await peers()?.()) ?? []
  return {
    async status() {
      const names = await boards.projects()
      const projects = await boards.read((reads) => names.map((project) => ({ project, ...reads.standing(project) })))
      const outbox = await store.read(readOutbox)
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
