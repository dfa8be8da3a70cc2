/** A complete cluster on one machine: the engines, the nodes, and a load balancer in front of them. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Balancer, startBalancer } from './balancer.ts'
import { noOpenssl } from './certificates.ts'
import { noPostgres, noReplicas } from './engines.ts'
import { type ClusterNode, startNode } from './node.ts'

/** The engines that the nodes of a cluster share. */
export interface SharedEngines {
  /** The settings for a node that uses these engines. */
  readonly settings: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** A running cluster. */
export interface LocalCluster<E extends SharedEngines = SharedEngines> {
  readonly engines: E
  readonly nodes: readonly ClusterNode[]
  readonly balancer: Balancer
  /** Base URL for clients. */
  readonly base: string
  /** Creates a token with the nodes' secret; takes the options of `svc token`. */
  token(...options: readonly string[]): string
  stop(): Promise<void>
}

/** Options of {@link startCluster}. */
export interface ClusterOptions<E extends SharedEngines = SharedEngines> {
  /** Starts the engines. */
  readonly engines: () => Promise<E>
  /** The built program of profile `server-cluster`. */
  readonly program: string
  /** Parent of the folders of the nodes. */
  readonly folder: string
  readonly nodes: number
  /** Port of the balancer; by default any free port. */
  readonly port?: number
  /** More settings of the nodes, as environment variables. */
  readonly environment?: Readonly<Record<string, string>>
  /** Whether the nodes get no signals from the terminal. */
  readonly isDetached?: boolean
}

/** The programs that are missing on this machine; empty if a cluster can be started. */
export function missingEngines(): readonly string[] {
  return [noReplicas, noPostgres, noOpenssl].filter((reason) => reason !== undefined)
}

/** Starts a cluster. Resolves when every node is ready. If something fails, the started processes are stopped. */
export async function startCluster<E extends SharedEngines>(options: ClusterOptions<E>): Promise<LocalCluster<E>> {
  const { program, folder, port, environment = {}, isDetached = false } = options
  const engines = await options.engines()
  const nodes: ClusterNode[] = []
  let balancer: Balancer | undefined
  /** Stops in reverse order, so that no process loses another that it needs. */
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
      // The balancer notices that a node is leaving before the node stops listening.
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

/** Waits for all nodes, even if one fails, because the started ones must be stopped. */
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
