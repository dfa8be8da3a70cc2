/** Three servers of NATS that each keep the runs, as `cluster.replicas` 3 has it. */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startNatsCluster } from '../../cluster/nats-cluster.ts'
import { freePorts } from '../../free-port.ts'

const SERVERS = 3

/** Running servers. */
export interface ThreeServers {
  readonly pids: readonly number[]
  /** Settings of a node that uses them. */
  readonly environment: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** Starts them. */
export async function startThreeServers(folder: string): Promise<ThreeServers> {
  const [ports, routes] = [await freePorts(SERVERS), await freePorts(SERVERS)]
  const peers = routes.map((route) => `nats://127.0.0.1:${route}`).join(', ')
  const servers = await startNatsCluster(
    ports.map((port, index) => {
      const name = `s${index}`
      const own = join(folder, name)
      mkdirSync(own)
      const config = `cluster { name: bench, listen: 127.0.0.1:${routes[index]}, routes: [${peers}] }`
      return { name, folder: own, port, config }
    }),
  )
  return {
    pids: servers.map(({ pid }) => pid),
    environment: {
      SVC_CLUSTER__NATS_URL: ports.map((port) => `nats://127.0.0.1:${port}`).join(','),
      SVC_CLUSTER__REPLICAS: String(SERVERS),
    },
    stop: async () => void (await Promise.all(servers.map((server) => server.stop()))),
  }
}
