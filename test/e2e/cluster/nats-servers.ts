/** Servers of NATS that are one cluster, on loopback, in folders of their own. */
import { natsVersion } from '../../../scripts/cluster/engines.ts'
import { type NatsServer, startNatsServer } from '../../../scripts/cluster/nats-server.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { folderWith } from '../../support/folder.ts'
import { type Cutter, startCutter } from './cutter.ts'

/** Whether this nats-server opens several connections to each other server by default, as 2.10 and later do. Older ones refuse `pool_size`. */
const hasPools = !/^v?2\.\d\./.test(natsVersion() ?? '')

/** Starts so many servers; they find each other soon. */
export async function startNatsServers(count: number): Promise<readonly NatsServer[]> {
  const ports = await freePorts(count)
  const routes = await freePorts(count)
  return ports.map((port, index) => start(index, port, routes[index]!, routes))
}

/** Servers whose network can be cut. */
export interface CuttableServers {
  readonly servers: readonly NatsServer[]
  /** Drops all traffic between a server and the others without closing a connection. Clients still reach the server. */
  cut(index: number): void
  mend(): void
  stop(): Promise<void>
}

/** Starts servers that reach each other through ways that can be cut. */
export async function startCuttableServers(count: number): Promise<CuttableServers> {
  const ports = await freePorts(count)
  const routes = await freePorts(count)
  /** The way from each server to each other one; only those to later servers are used. */
  const ways: Cutter[][] = []
  for (let from = 0; from < count; from++) ways.push(await Promise.all(routes.map((route) => startCutter(route))))
  const servers = ports.map((port, index) =>
    start(
      index,
      port,
      routes[index]!,
      // One of two servers connects to the other: of two connections that cross, both may be closed as superfluous. Each server
      // needs a route, so it has one to itself.
      ways[index]!.filter((_, to) => to >= index).map((way) => way.port),
      // Servers tell each other where they are, and must not find a way around. With several connections
      // between two servers, some would cross.
      `advertise: "127.0.0.1:9"${hasPools ? ', pool_size: -1' : ''}`,
    ),
  )
  const all = ways.flatMap((row, from) => row.map((way, to) => ({ way, from, to })))
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
      await Promise.all(all.map(({ way }) => way.stop()))
    },
  }
}

function start(index: number, port: number, route: number, peers: readonly number[], more = ''): NatsServer {
  const routes = peers.map((peer) => `nats://127.0.0.1:${peer}`).join(', ')
  return startNatsServer({
    ...{ name: `s${index}`, port, folder: folderWith() },
    config: `cluster { name: tests, listen: 127.0.0.1:${route}, routes: [${routes}], ${more} }`,
  })
}

function freePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, () => freePort()))
}
