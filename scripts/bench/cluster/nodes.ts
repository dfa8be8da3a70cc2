/** The compared nodes: the shipped programs, one alone and others as nodes of a cluster. */
import { join } from 'node:path'
import { missingEngines } from '../../cluster/cluster.ts'
import { type Engine, startNats, startPostgres } from '../../cluster/engines.ts'
import { load, toRequest } from '../harness/load.ts'
import { builtFile, type ProgramOptions, startProgram, withFolder } from '../harness/processes.ts'
import { bearer, call, SECRET } from '../harness/token.ts'
import type { Contestant } from '../realtime/contestants.ts'

/** The NATS and PostgreSQL servers that the nodes share. */
export interface Engines {
  readonly nats: Engine
  readonly postgres: Engine
}

/** A measured node. */
export type Node = Contestant

/** Input of a measurement. */
export interface Setting {
  readonly folder: string
  readonly engines: Engines
}

/**
 * Runs a measurement with engines and a folder.
 * @throws Error that names the missing engines
 */
export function withEngines(measure: (setting: Setting) => Promise<boolean>): Promise<boolean> {
  const missing = missingEngines()
  if (missing.length > 0) throw new Error(`Nothing was measured: ${missing.join(', ')}.`)
  return withFolder(async (folder) => {
    const [nats, postgres] = await Promise.all([startNats(), startPostgres()])
    try {
      return await measure({ folder, engines: { nats, postgres } })
    } finally {
      await Promise.all([nats.stop(), postgres.stop()])
    }
  })
}

/**
 * Options of {@link startClusterNode}: `folder` is the parent of the node's folder; without engines the node runs
 * alone.
 */
export interface NodeOptions extends Pick<ProgramOptions, 'folder' | 'core'> {
  readonly engines?: Engines
  /** More settings, which replace those of the comparison. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts `server-full`, or with engines `server-cluster`. */
export async function startClusterNode(
  name: string,
  { folder, engines, core, environment }: NodeOptions,
): Promise<Node> {
  const joined = engines !== undefined && {
    SVC_CLUSTER__NATS_URL: engines.nats.url,
    SVC_CLUSTER__POSTGRES_URL: engines.postgres.url,
    SVC_SECURITY__EXCHANGE_SECRET: SECRET,
  }
  const server = await startProgram({
    program: builtFile(engines === undefined ? 'server-full' : 'server-cluster'),
    folder: join(folder, name),
    ...(core !== undefined && { core }),
    environment: {
      RUST_LOG: 'warn',
      SVC_SECURITY__JWT_SECRET: SECRET,
      SVC_REALTIME__TOPICS: 'bench',
      SVC_REALTIME__MAX_STREAMS_PER_IDENTITY: '100000',
      ...joined,
      ...environment,
    },
  })
  return { ...server, listenPath: '/api/live', publishPath: '/api/live/bench', header: bearer() }
}

const EVENT = Buffer.from('{"type":"CUSTOM","name":"n","value":"a value of ordinary length"}')

/** Options of {@link appendTo}. */
export interface AppendOptions {
  /** Prefix of the names of the runs. The runs are created for this measurement and ended after it. */
  readonly name: string
  /** Number of runs that are appended to at the same time, distributed over the nodes. */
  readonly appenders: number
  readonly seconds: number
}

/**
 * Appends for `seconds`. Resolves to the number of acknowledgements.
 * @throws Error if an append is refused
 */
export async function appendTo(nodes: readonly Node[], { name, appenders, seconds }: AppendOptions): Promise<number> {
  const runs = Array.from({ length: appenders }, (_, n) => {
    const { port } = nodes[n % nodes.length]!
    return { id: `${name}-${n}`, port, path: `/api/svc/runs/${name}-${n}/events` }
  })
  const toAll = (type: string): Promise<unknown> =>
    Promise.all(runs.map(({ id, port, path }) => call(port, path, { type, threadId: 't', runId: id })))
  await Promise.all(runs.map(({ id, port }) => call(port, '/api/svc/runs', { run_id: id })))
  await toAll('RUN_STARTED')
  const loads = await Promise.all(
    runs.map(({ port, path }) => {
      const requests = [toRequest('POST', path, [bearer()], EVENT)]
      return load({ to: { port }, requests, connections: 1, seconds, status: 200 })
    }),
  )
  await toAll('RUN_FINISHED')
  return loads.reduce((sum, one) => sum + one.answers, 0)
}
