/** Starts the NATS servers of a cluster, and begins again where they do not become one. */
import { freePorts } from '../free-port.ts'
import { until } from '../until.ts'
import { type NatsServer, type NatsServerOptions, startNatsServer } from './nats-server.ts'

/** Longest time in milliseconds until servers that have just started count each other, on a busy machine. */
const FORM_LIMIT_MS = 20_000

/** How often a cluster is begun. */
const STARTS = 5

/** Starts the servers, and waits until they are one cluster. */
export async function startNatsCluster(
  options: readonly Omit<NatsServerOptions, 'monitorPort'>[],
): Promise<readonly NatsServer[]> {
  const monitorPorts = await freePorts(options.length)
  const servers = options.map((serverOptions, index) =>
    startNatsServer({ ...serverOptions, monitorPort: monitorPorts[index]! }),
  )
  try {
    await formCluster(servers)
  } catch (error) {
    await Promise.all(servers.map((server) => server.stop()))
    throw error
  }
  return servers
}

/**
 * Waits until servers are one cluster for JetStream. They must have started without data. In one or two of a hundred
 * first starts (NATS 2.10.27) the leader counts the servers before it has heard of the last one, and never counts that
 * one, although it is connected. Nothing can have three replicas then, and the server's restart does not always help.
 * So all begin again, without data.
 */
export async function formCluster(servers: readonly NatsServer[]): Promise<void> {
  for (let starts = 1; ; starts++) {
    try {
      const areOne = async () =>
        (await Promise.all(servers.map(sizeOfCluster))).every((size) => size === servers.length)
      await until(`${servers.length} NATS servers are one cluster`, areOne, FORM_LIMIT_MS)
      return
    } catch (error) {
      if (starts === STARTS) throw error
    }
    await Promise.all(servers.map((server) => server.kill()))
    for (const server of servers) {
      server.wipe()
      server.start()
    }
  }
}

/**
 * The number of servers that this server counts in the cluster of JetStream; 0 without an answer or without a leader.
 */
async function sizeOfCluster({ monitorPort }: NatsServer): Promise<number> {
  try {
    const response = await fetch(`http://127.0.0.1:${monitorPort}/jsz`)
    const { meta_cluster } = (await response.json()) as { meta_cluster?: { leader?: string; cluster_size: number } }
    return meta_cluster?.leader === undefined ? 0 : meta_cluster.cluster_size
  } catch {
    return 0
  }
}
