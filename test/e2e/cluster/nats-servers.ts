/** NATS servers of one cluster, on loopback, each with a separate folder. */
import { clusteredNats, natsVersion } from '../../../scripts/cluster/engines.ts'
import { startNatsCluster } from '../../../scripts/cluster/nats-cluster.ts'
import type { NatsServer, NatsServerOptions } from '../../../scripts/cluster/nats-server.ts'
import { freePorts } from '../../../scripts/free-port.ts'
import { folderWith } from '../../support/folder.ts'
import { type Cutter, startCutter } from './cutter.ts'

/**
 * Whether this nats-server opens several connections to each other server by default, as 2.10 and later do. Older ones
 * refuse `pool_size`.
 */
const hasPools = !/^v?2\.\d\./.test(natsVersion(clusteredNats) ?? '')

/**
 * Starts `count` servers, and waits until they are one cluster. Only one server of each pair connects to the other:
 * both of two crossing connections may be closed as duplicates, again and again. Each server needs a route, so the last
 * one has a route to itself.
 */
export async function startNatsServers(count: number): Promise<readonly NatsServer[]> {
  const ports = await freePorts(count)
  const routes = await freePorts(count)
  return await startNatsCluster(ports.map((port, index) => optionsOf(index, port, routes[index]!, routes.slice(index))))
}

/** Servers whose network can be cut. */
export interface CuttableServers {
  readonly servers: readonly NatsServer[]
  /** Drops all traffic between a server and the others without closing a connection. Clients still reach the server. */
  cut(index: number): void
  mend(): void
  stop(): Promise<void>
}

/** Starts servers that reach each other through proxies that can be cut. */
export async function startCuttableServers(count: number): Promise<CuttableServers> {
  const ports = await freePorts(count)
  const routes = await freePorts(count)
  /** The proxies from each server to each server. Only proxies to later servers and to the server itself are used. */
  const proxies: Cutter[][] = []
  for (let from = 0; from < count; from++) proxies.push(await Promise.all(routes.map((route) => startCutter(route))))
  const all = proxies.flatMap((row, from) => row.map((way, to) => ({ way, from, to })))
  const stopProxies = async (): Promise<void> => void (await Promise.all(all.map(({ way }) => way.stop())))
  const servers = await startNatsCluster(
    ports.map((port, index) =>
      optionsOf(
        index,
        port,
        routes[index]!,
        proxies[index]!.filter((_, to) => to >= index).map((way) => way.port),
        // Servers advertise their addresses, and must not find a way around the proxies. With several connections
        // between two servers, some would cross.
        `advertise: "127.0.0.1:9"${hasPools ? ', pool_size: -1' : ''}`,
      ),
    ),
  ).catch(async (error: unknown) => {
    await stopProxies()
    throw error
  })
  return {
    servers,
    cut: (index) => {
      for (const { way, from, to } of all) if (from === index || to === index) way.cut()
    },
    mend: () => {
      for (const { way } of all) way.mend()
    },
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()))
      await stopProxies()
    },
  }
}

function optionsOf(
  index: number,
  port: number,
  route: number,
  peers: readonly number[],
  more = '',
): Omit<NatsServerOptions, 'monitorPort'> {
  const routes = peers.map((peer) => `nats://127.0.0.1:${peer}`).join(', ')
  return {
    ...{ name: `s${index}`, port, folder: folderWith() },
    config: `cluster { name: tests, listen: 127.0.0.1:${route}, routes: [${routes}], ${more} }`,
  }
}
