/**
 * Compares appends over HTTP: on `server-full` with runs in SQLite, with runs in memory, and on a build without durable
 * runs.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { buildProfile } from '../../build/build.ts'
import { inTurns, isMet, Rows, roundsOf, show, whole } from '../harness/figures.ts'
import { load, toRequest } from '../harness/load.ts'
import { type Server, startProgram, withFolder } from '../harness/processes.ts'
import { bearer, SECRET } from '../harness/token.ts'

const ROUNDS = roundsOf(7)
/** Appends in one round, and the runs that are appended to at once. */
const APPENDS = 8_000
const CONCURRENCY = 64

/** The least ratio of appends in memory, of a program with durable runs to a program without. */
const LEAST_OF_MEMORY_ALONE = 0.95
const ALONE = 'in memory, built without SQLite'

/** The event of each append: JSON of about 150 bytes. */
const event = { type: 'CUSTOM', name: 'token', value: 'x'.repeat(100) }

/** Runs the comparison. Returns false if a bar is missed. */
export function bench(): Promise<boolean> {
  return withFolder(async (folder) => {
    const { folder: alone } = await buildProfile(join(import.meta.dirname, 'memory-alone.ts'))
    const services: Record<string, Server> = {}
    const rows = new Rows()
    const start = async (name: string, store: string, program?: string): Promise<void> => {
      services[name] = await startProgram({
        ...{ folder: join(folder, name), ...(program !== undefined && { program }) },
        environment: {
          SVC_SECURITY__JWT_SECRET: SECRET,
          SVC_REALTIME__MAX_RUNNING_RUNS_PER_IDENTITY: '4096',
          SVC_REALTIME__RUNS_IDENTITY_SHARE: '1',
          SVC_REALTIME__RUNS_TENANT_SHARE: '1',
          ...(program === undefined && { SVC_REALTIME__RUN_STORE: store }),
        },
      })
    }
    try {
      await start(ALONE, 'memory', join(alone!, 'svc.mjs'))
      for (const store of ['memory', 'sqlite']) await start(`in ${store}`, store)
      for (const service of Object.values(services)) await append(service, APPENDS / 4)
      await inTurns(ROUNDS, Object.entries(services), async ([name, service]) =>
        rows.add(name, await append(service, APPENDS)),
      )
    } finally {
      for (const service of Object.values(services)) await service.stop()
    }
    console.log(`appends over HTTP, ${CONCURRENCY} at once; medians of ${ROUNDS} rounds`)
    for (const name of rows.names) show(name, `${whole(rows.median(name))}/s`)
    return isMet(`in memory / ${ALONE}`, rows.ratio('in memory', ALONE), LEAST_OF_MEMORY_ALONE)
  })
}

/** Appends a number of events to new runs. Resolves to appends per second. */
async function append({ port }: Server, count: number): Promise<number> {
  const ids = Array.from({ length: CONCURRENCY }, () => randomUUID())
  const post = (path: string, body: object): Buffer =>
    toRequest('POST', path, [bearer()], Buffer.from(JSON.stringify(body)))
  const toAll = (toBody: (id: string) => object): Buffer[] =>
    ids.map((id) => post(`/api/svc/runs/${id}/events`, toBody(id)))
  const send = (requests: readonly Buffer[], status = 200) =>
    load({ to: { port }, requests, connections: CONCURRENCY, status })
  await send(
    ids.map((run_id) => post('/api/svc/runs', { run_id })),
    201,
  )
  await send(toAll((runId) => ({ type: 'RUN_STARTED', threadId: 't', runId })))
  const appends = toAll(() => event)
  const { perSecond } = await send(Array.from({ length: count }, (_, n) => appends[n % appends.length]!))
  await send(toAll((runId) => ({ type: 'RUN_FINISHED', threadId: 't', runId })))
  return perSecond
}
