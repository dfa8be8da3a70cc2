/** Admits connections: some of each peer with an entry, and those of strangers while a pairing is open. */
import type { PeerConnection } from '../../api.ts'
import type { Peers } from '../../capabilities.ts'
import type { PeerRegistry } from '../../registry/capabilities.ts'
import type { Strangers } from '../pairing/strangers.ts'
import type { Faults } from '../statistics/audit-faults.ts'
import type { PeerStatistics } from '../statistics/peer-statistics.ts'

/** The admission of connections. */
export interface Admission extends Pick<Peers, 'admit' | 'left'> {
  /** Counts the connection of a stranger as one of a peer, because its key has an entry now. */
  entered(connection: PeerConnection): void
}

/** Creates the admission. `opened` is called with each change of the number of open connections of peers. */
export function createAdmission(parts: {
  readonly registry: PeerRegistry
  readonly faults: Faults
  readonly statistics: PeerStatistics
  readonly maxConnections: number
  readonly strangers: Strangers
  readonly opened: (change: 1 | -1) => void
}): Admission {
  const { registry, faults, statistics, strangers, maxConnections, opened } = parts
  return {
    async admit(connection: PeerConnection) {
      const id = connection.endpointId
      if ((await registry.entry(id)) === undefined) {
        if (await strangers.admit(connection)) return true
        await faults.stranger(id)
        return false
      }
      const { connections } = statistics.of(id)
      if (connections.size >= maxConnections) return false
      connections.add(connection)
      opened(1)
      return true
    },
    entered(connection) {
      if (!strangers.left(connection)) return
      statistics.of(connection.endpointId).connections.add(connection)
      opened(1)
    },
    left(connection) {
      if (strangers.left(connection)) return
      if (statistics.of(connection.endpointId).connections.delete(connection)) opened(-1)
    },
  }
}
