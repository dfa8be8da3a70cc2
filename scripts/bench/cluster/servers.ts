/** The compared nodes: the shipped programs, one alone and others as nodes of a cluster. */
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { distDir } from '../../build/paths.ts'
import { missingEngines } from '../../cluster/cluster.ts'
import { type Engine, startNats, startPostgres } from '../../cluster/engines.ts'
import { type ClusterNode, startNode } from '../../cluster/node.ts'
import { type Contestant, cpuOf, memoryOf, pinned } from '../realtime/contestants.ts'

/** The secret of the tokens and of the exchange. */
const SECRET = 'a secret of the benchmark, long enough for it'

/** The NATS and PostgreSQL servers that the nodes share. */
export interface Engines {
  readonly nats: Engine
  readonly postgres: Engine
  stop(): Promise<void>
}

async function startEngines(): Promise<Engines> {
  const [nats, postgres] = await Promise.all([startNats(), startPostgres()])
  return { nats, postgres, stop: async () => void (await Promise.all([nats.stop(), postgres.stop()])) }
}

/**
 * Runs a measurement with engines and a folder.
 * @throws Error that names the missing engines
 */
export async function withEngines(
  measure: (setting: { readonly folder: string; readonly engines: Engines }) => Promise<boolean>,
): Promise<boolean> {
  const missing = missingEngines()
  if (missing.length > 0) throw new Error(`Nothing was measured: ${missing.join(', ')}.`)
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const engines = await startEngines()
  try {
    return await measure({ folder, engines })
  } finally {
    await engines.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A measured node. */
export interface Measured extends Contestant {
  readonly node: ClusterNode
}

/** Options of {@link startServer}. */
export interface ServerOptions {
  /** Parent of the folder for the node's files. */
  readonly folder: string
  /** Engines of the cluster that the node joins. Without engines the node runs alone. */
  readonly engines?: Engines
  /** The only CPU core that the node runs on. Without it the node may use all cores. */
  readonly core?: number
  /** What it is set beside the settings of the comparison, or instead of them. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts `server-full`, or with engines `server-cluster`. */
export async function startServer(
  name: string,
  { folder, engines, core, environment }: ServerOptions,
): Promise<Measured> {
  const joined = engines !== undefined && {
    SVC_CLUSTER__NATS_URL: engines.nats.url,
    SVC_CLUSTER__POSTGRES_URL: engines.postgres.url,
    SVC_SECURITY__EXCHANGE_SECRET: SECRET,
  }
  const node = await startNode({
    program: join(distDir(engines === undefined ? 'server-full' : 'server-cluster'), 'svc.mjs'),
    folder: join(folder, name),
    environment: {
      RUST_LOG: 'warn',
      SVC_SECURITY__JWT_SECRET: SECRET,
      SVC_REALTIME__TOPICS: 'bench',
      SVC_REALTIME__MAX_STREAMS_PER_IDENTITY: '100000',
      ...joined,
      ...environment,
    },
    through:
      core === undefined
        ? []
        : pinned(core, [])
            .flat()
            .filter((part) => part !== undefined),
  })
  return {
    name,
    node,
    port: node.port,
    listenPath: '/api/live',
    publishPath: '/api/live/bench',
    header: BEARER,
    memory: () => memoryOf([node.pid]),
    cpuSeconds: () => cpuOf([node.pid]),
    stop: async () => void (await node.stop()),
  }
}

/** The identity of the caller. */
const CALLER = { user_id: 'bench', tenant_id: 'bench' } as const

/** The authorization header of {@link CALLER}, with the scope to publish. */
export const BEARER: string = bearer()

function bearer(): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1_000) + 86_400
  const claims = { sub: CALLER.user_id, tenant_id: CALLER.tenant_id, scope: 'live:publish', exp }
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return `Authorization: Bearer ${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`
}

/** Calls a node with {@link BEARER}. Throws if the answer is not a success. */
export async function call(port: number, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const [name, value] = BEARER.split(': ') as [string, string]
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { [name]: value, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status} ${text}`)
  return JSON.parse(text) as Record<string, unknown>
}
