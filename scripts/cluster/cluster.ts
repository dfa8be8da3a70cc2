/** A whole cluster on one machine: the engines, the nodes, and a balancer before them. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Balancer, startBalancer } from './balancer.ts'
import { noOpenssl } from './certificates.ts'
import { noNats, noPostgres } from './engines.ts'
import { type ClusterNode, startNode } from './node.ts'

/** The engines that the nodes of a cluster share. */
export interface SharedEngines {
  /** The settings of a node that uses them. */
  readonly settings: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** A running cluster. */
export interface LocalCluster<E extends SharedEngines = SharedEngines> {
  readonly engines: E
  readonly nodes: readonly ClusterNode[]
  readonly balancer: Balancer
  /** Where its clients ask. */
  readonly base: string
  /** A token of the nodes' secret, with the options of `svc token`. */
  token(...options: readonly string[]): string
  stop(): Promise<void>
}

/** What a cluster is made of. */
export interface ClusterOptions<E extends SharedEngines = SharedEngines> {
  /** Starts the engines. */
  readonly engines: () => Promise<E>
  /** The built program of profile `server-cluster`. */
  readonly program: string
  /** Takes a folder for each node. */
  readonly folder: string
  readonly nodes: number
  /** Where the balancer listens; any free port where absent. */
  readonly port?: number
  /** Settings of the nodes beside those that they share. */
  readonly environment?: Readonly<Record<string, string>>
  /** Whether signals of the terminal do not reach the nodes. */
  readonly isDetached?: boolean
}

/** What is missing on this machine; empty where a cluster can be started. */
export function missingEngines(): readonly string[] {
  return [noNats, noPostgres, noOpenssl].filter((reason) => reason !== undefined)
}

/** Starts it; resolves when every node is ready. What was started when something failed is ended. */
export async function startCluster<E extends SharedEngines>(options: ClusterOptions<E>): Promise<LocalCluster<E>> {
  const { program, folder, port, environment = {}, isDetached = false } = options
  const engines = await options.engines()
  const nodes: ClusterNode[] = []
  let balancer: Balancer | undefined
  /** The other way round, so that nobody loses what it needs before it has ended. */
  const stop = async (): Promise<void> => {
    await balancer?.stop()
    await Promise.all(nodes.map((node) => node.stop()))
    await engines.stop()
  }
  try {
    const settings = {
      ...engines.settings,
      SVC_SECURITY__JWT_SECRET: randomBytes(32).toString('base64url'),
      SVC_SECURITY__EXCHANGE_SECRET: randomBytes(32).toString('base64url'),
      SVC_SERVER__TRUSTED_PROXIES: '127.0.0.1',
      // The balancer finds out that a node leaves before the node stops to listen.
      SVC_SERVER__DRAIN_DELAY_MS: '500',
      ...environment,
    }
    const start = (_: unknown, index: number): Promise<ClusterNode> =>
      startNode({ program, folder: join(folder, `node-${index + 1}`), environment: settings, isDetached })
    await all(Array.from({ length: options.nodes }, start), nodes)
    balancer = await startBalancer({ nodes: nodes.map((node) => node.port), ...(port !== undefined && { port }) })
    return {
      engines,
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
