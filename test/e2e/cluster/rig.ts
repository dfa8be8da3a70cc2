/** Several nodes of the shipped program, with engines that the test starts. */
import { existsSync } from 'node:fs'
import { type Engine, noNats, noPostgres, startNats, startPostgres } from '../../../scripts/cluster/engines.ts'
import { cheapHashes } from '../../support/cheap-hashes.ts'
import { type BuiltService, startBuilt } from '../telemetry/built-service.ts'

export { until } from '../../../scripts/until.ts'

/** The program of `server-cluster`. */
export const program: string = new URL('../../../dist/server-cluster/svc.mjs', import.meta.url).pathname

/** The reason why no cluster can run here. Undefined if it can. */
export const noCluster: string | undefined = existsSync(program)
  ? (noPostgres ?? noNats)
  : 'dist/server-cluster has not been built'

/** An answer of a node. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
  /** `error.code` of the envelope. */
  readonly code: string | undefined
}

/** A cluster. */
export interface Cluster {
  readonly postgres: Engine
  readonly nats: Engine
  readonly nodes: BuiltService[]
  /** Sends a request to the given node, or to the next node as a balancer does. */
  send(path: string, options?: SendOptions): Promise<Answer>
  /** Starts one more node. */
  join(environment?: Readonly<Record<string, string>>): Promise<BuiltService>
  stop(): Promise<void>
}

interface SendOptions {
  readonly method?: string
  /** A bearer token. */
  readonly as?: string
  /** An API key. */
  readonly key?: string
  readonly body?: unknown
  readonly node?: number
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Starts the engines and `size` nodes, with further settings of all of them. If a node does not start, everything is
 * stopped.
 */
export async function startCluster(size: number, settings: Readonly<Record<string, string>> = {}): Promise<Cluster> {
  const [postgres, nats] = await Promise.all([startPostgres(), startNats()])
  const nodes: BuiltService[] = []
  const join: Cluster['join'] = async (environment = {}) => {
    const node = await startBuilt(
      {
        SVC_CLUSTER__POSTGRES_URL: postgres.url,
        SVC_CLUSTER__NATS_URL: nats.url,
        SVC_REALTIME__TOPICS: 'todos,notes',
        SVC_SECURITY__EXCHANGE_SECRET: 'a secret that the nodes of the tests share, long enough',
        ...cheapHashes,
        ...settings,
        ...environment,
      },
      program,
    )
    nodes.push(node)
    return node
  }
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()))
    await Promise.all([postgres.stop(), nats.stop()])
  }
  const joined = await Promise.allSettled(Array.from({ length: size }, () => join()))
  const failed = joined.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') {
    await stop()
    throw failed.reason
  }
  let turn = 0
  return {
    postgres,
    nats,
    nodes,
    join,
    send: async (path, { method = 'GET', as, key, body, node, headers } = {}) => {
      const { base } = nodes[node ?? turn++ % nodes.length]!
      const response = await fetch(base + path, {
        method,
        headers: {
          ...(as !== undefined && { authorization: `Bearer ${as}` }),
          ...(key !== undefined && { 'x-api-key': key }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const parsed = (text.startsWith('{') ? JSON.parse(text) : {}) as Answer['body']
      const { code } = (parsed['error'] ?? {}) as { code?: string }
      return { status: response.status, headers: response.headers, body: parsed, code }
    },
    stop,
  }
}
