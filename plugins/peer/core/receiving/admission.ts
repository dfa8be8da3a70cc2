import type { PeerConnection } from '../../api.ts'
import type { Peers } from '../../capabilities.ts'
import type { PeerRegistry } from '../../registry/capabilities.ts'
import type { Strangers } from '../pairing/strangers.ts'
import type { Faults } from '../statistics/audit-faults.ts'
import type { PeerStatistics } from '../statistics/peer-statistics.ts'

/** Which connections are let in. */
export interface Admission extends Pick<Peers, 'admit' | 'left'> {
  /** The key behind a connection of a stranger has been entered: from now on it is one of a listed peer. */
  entered(connection: PeerConnection): void
}

/** Which connections are let in: some of each listed peer, and those of strangers while a pairing is open. */
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
