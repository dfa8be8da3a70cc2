/** A whole cluster on one machine: the engines, the nodes, and a balancer before them. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Balancer, startBalancer } from './balancer.ts'
import { type Engine, noNats, noPostgres, startNats, startPostgres } from './engines.ts'
import { type ClusterNode, startNode } from './node.ts'

/** A running cluster. */
export interface LocalCluster {
  readonly nats: Engine
  readonly postgres: Engine
  readonly nodes: readonly ClusterNode[]
  readonly balancer: Balancer
  /** Where its clients ask. */
  readonly base: string
  /** A token of the nodes' secret, with the options of `svc token`. */
  token(...options: readonly string[]): string
  stop(): Promise<void>
}

/** What a cluster is made of. */
export interface ClusterOptions {
  /** The built program of profile `server-cluster`. */
  readonly program: string
  /** Takes a folder for each node. */
  readonly folder: string
  readonly nodes: number
  /** Where the balancer listens; any free port where absent. */
  readonly port?: number
  /** Settings of the nodes beside those that they share. */
  readonly environment?: Readonly<Record<string, string>>
}

/** What is missing on this machine; empty where a cluster can be started. */
export function missingEngines(): readonly string[] {
  return [noNats, noPostgres].filter((reason) => reason !== undefined)
}

/** Starts it; resolves when every node is ready. What was started when something failed is ended. */
export async function startCluster(options: ClusterOptions): Promise<LocalCluster> {
  const { program, folder, port, environment = {} } = options
  const engines: Engine[] = []
  const nodes: ClusterNode[] = []
  let balancer: Balancer | undefined
  /** The other way round, so that nobody loses what it needs before it has ended. */
  const stop = async (): Promise<void> => {
    await balancer?.stop()
    await Promise.all(nodes.map((node) => node.stop()))
    await Promise.all(engines.map((engine) => engine.stop()))
  }
  try {
    await all([startNats(), startPostgres()], engines)
    const [nats, postgres] = engines as [Engine, Engine]
    const settings = {
      SVC_CLUSTER__NATS_URL: nats.url,
      SVC_CLUSTER__POSTGRES_URL: postgres.url,
      SVC_SECURITY__JWT_SECRET: randomBytes(32).toString('base64url'),
      SVC_SECURITY__EXCHANGE_SECRET: randomBytes(32).toString('base64url'),
      SVC_SERVER__TRUSTED_PROXIES: '127.0.0.1',
      // The balancer finds out that a node leaves before the node stops to listen.
      SVC_SERVER__DRAIN_DELAY_MS: '500',
      ...environment,
    }
    const start = (_: unknown, index: number): Promise<ClusterNode> =>
      startNode({ program, folder: join(folder, `node-${index + 1}`), environment: settings })
    await all(Array.from({ length: options.nodes }, start), nodes)
    balancer = await startBalancer({ nodes: nodes.map((node) => node.port), ...(port !== undefined && { port }) })
    return {
      nats,
      postgres,
      nodes,
      balancer,
      base: `http://127.0.0.1:${balancer.port}`,
      token: (...args) => mintToken(program, settings, args),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Waits for all, also where one fails: the others have to be ended. */
async function all<T>(starting: readonly Promise<T>[], started: T[]): Promise<void> {
  const ends = await Promise.allSettled(
    starting.map(async (one, index) => {
      started[index] = await one
    }),
  )
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

function mintToken(program: string, env: Readonly<Record<string, string>>, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'token', ...args], {
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`no token\n${stderr}`)
  return stdout.trim()
}
