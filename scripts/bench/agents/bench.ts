/**
 * Compares an agent that is read directly with the same agent behind the service, whose runs are in memory or in
 * SQLite: the first event, events a second for one reader and for many, the CPU time of the service, and the memory of
 * calls without events. The same agent behind a proxy that only forwards bytes shows the cost of any process in
 * between.
 */
import { randomUUID } from 'node:crypto'
import { Agent, type RequestOptions, request } from 'node:http'
import { join } from 'node:path'
import { inTurns, isMet, median, Rows, roundsOf, show, whole } from '../harness/figures.ts'
import { type Server, startProgram, startServer, withFolder } from '../harness/processes.ts'
import { bearer, SECRET } from '../harness/token.ts'

const ROUNDS = roundsOf(5)
/** Text events of a run for one reader, and for many. */
const EVENTS = 20_000
const EVENTS_OF_MANY = 2_000
const READERS = 100
/** Short runs, one after the other, whose first event is timed. */
const FIRST = 40
/** Calls that get no events. */
const SILENT = 1_000

/** Where runs are asked for. */
interface Contestant {
  readonly name: string
  readonly server: Server
  readonly headers: Readonly<Record<string, string>>
  /** Whether many readers join one run; without the service each of them makes a run. */
  readonly isShared: boolean
}

const columns = ['first ms', '1 reader', `${READERS} readers`, 'µs/event'] as const

/** Runs the comparison. Returns false if a bar is missed. */
export function bench(): Promise<boolean> {
  return withFolder(async (folder) => {
    const contestants: Contestant[] = []
    const add = (name: string, server: Server, isShared = false): void => {
      const [header, value] = bearer().split(': ') as [string, string]
      contestants.push({ name, server, headers: isShared ? { [header]: value } : {}, isShared })
    }
    try {
      const file = new URL('./server.ts', import.meta.url)
      const agent = await startServer(file, null)
      add('agent alone', agent)
      const url = `http://127.0.0.1:${agent.port}`
      add('a bare proxy', await startServer(file, url))
      for (const store of ['memory', 'sqlite'])
        add(
          `behind, ${store}`,
          await startProgram({ folder: join(folder, store), environment: environmentOf(store, url) }),
          true,
        )
      const rows = new Rows()
      for (const one of contestants) await measure(one, new Rows())
      await inTurns(ROUNDS, contestants, (one) => measure(one, rows))
      print(contestants, rows)
      const [passed, silent] = [await bytesOfSilentCalls(contestants[1]!), await bytesOfSilentCalls(contestants[2]!)]
      const kib = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`
      console.log(`memory of a call without events: ${kib(silent)}; of the bare proxy ${kib(passed)} (${SILENT} calls)`)
      return holdBars(rows, silent)
    } finally {
      for (const { server } of contestants) await server.stop()
    }
  })
}

async function measure(one: Contestant, rows: Rows): Promise<void> {
  const add = (column: (typeof columns)[number], value: number): void => rows.add(`${one.name}: ${column}`, value)
  const firsts: number[] = []
  for (let n = 0; n < FIRST; n++) firsts.push((await read(one, randomUUID(), 1)).firstMs)
  add('first ms', median(firsts))
  const before = one.server.cpuSeconds()
  add('1 reader', EVENTS / (await read(one, randomUUID(), EVENTS)).seconds)
  add('µs/event', ((one.server.cpuSeconds() - before) * 1e6) / EVENTS)
  const since = performance.now()
  const shared = randomUUID()
  const ids = Array.from({ length: READERS }, () => (one.isShared ? shared : randomUUID()))
  await Promise.all(ids.map((id) => read(one, id, EVENTS_OF_MANY)))
  add(`${READERS} readers`, (READERS * EVENTS_OF_MANY) / ((performance.now() - since) / 1_000))
}

/** Calls the agent, or joins the run of the same input, and reads it to its end. */
function read(
  { server: { port }, headers }: Contestant,
  runId: string,
  events: number,
): Promise<{ readonly firstMs: number; readonly seconds: number }> {
  const since = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request({ ...callTo(port, headers), agent: false }, (answer) => {
      let firstMs = 0
      let tail = ''
      answer.setEncoding('utf8').on('data', (text: string) => {
        // The service itself writes RUN_STARTED, so the first event of the agent is TEXT_MESSAGE_START.
        if (firstMs === 0 && (tail + text).includes('TEXT_MESSAGE_START')) firstMs = performance.now() - since
        tail = (tail + text).slice(-4_096)
      })
      answer.once('end', () => {
        if (answer.statusCode !== 200 || !tail.includes('RUN_FINISHED'))
          reject(new Error(`status ${answer.statusCode}: ${tail}`))
        else resolve({ firstMs, seconds: (performance.now() - since) / 1_000 })
      })
      answer.once('error', reject)
    })
    sent.once('error', reject).end(inputOf(runId, events))
  })
}

function callTo(port: number, headers: Readonly<Record<string, string>>): RequestOptions {
  return {
    host: '127.0.0.1',
    port,
    path: '/api/svc/agents/bench',
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
  }
}

function inputOf(runId: string, events: number): string {
  const empty = { state: {}, messages: [], tools: [], context: [] }
  return JSON.stringify({ threadId: 'bench', runId, ...empty, forwardedProps: { events } })
}

/** Resident memory of the service for each call under way of an agent that sends no events. */
async function bytesOfSilentCalls({ server, headers, isShared }: Contestant): Promise<number> {
  const before = server.memory()
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  await Promise.all(
    Array.from(
      { length: SILENT },
      () =>
        new Promise<void>((resolve, reject) => {
          // The service answers with the record at once. The proxy has nothing but the answer of the agent, which stays
          // open.
          const call = callTo(server.port, { ...headers, accept: isShared ? 'application/json' : 'text/event-stream' })
          request(isShared ? { ...call, agent } : { ...call, agent: false }, (answer) => {
            answer.resume()
            if (isShared && answer.statusCode === 202) answer.once('end', resolve)
            else if (!isShared && answer.statusCode === 200) resolve()
            else reject(new Error(`status ${answer.statusCode}`))
          })
            .once('error', reject)
            .end(inputOf(randomUUID(), -1))
        }),
    ),
  )
  agent.destroy()
  return (server.memory() - before) / SILENT
}

/** The settings of a service in front of the agent. The caller is one user here, so limits of one user are raised. */
function environmentOf(store: string, url: string): Record<string, string> {
  const limits = [
    'AGENT_CALLS_PER_IDENTITY',
    'AGENT_CALLS_PER_TENANT',
    'RUNNING_RUNS_PER_IDENTITY',
    'STREAMS_PER_IDENTITY',
  ]
  const shares = ['RUNS_IDENTITY_SHARE', 'RUNS_TENANT_SHARE', 'STREAMS_TENANT_SHARE']
  return {
    SVC_SECURITY__JWT_SECRET: SECRET,
    SVC_REALTIME__RUN_STORE: store,
    SVC_REALTIME__AGENTS: JSON.stringify({ bench: { url } }),
    SVC_REALTIME__RUN_MAX_EVENTS: '65536',
    ...Object.fromEntries(limits.map((name) => [`SVC_REALTIME__MAX_${name}`, '4096'])),
    ...Object.fromEntries(shares.map((name) => [`SVC_REALTIME__${name}`, '1'])),
  }
}

function print(contestants: readonly Contestant[], rows: Rows): void {
  console.log(`first event; events delivered a second; CPU time of the process; medians of ${ROUNDS} rounds`)
  show('', ...columns)
  for (const { name } of contestants)
    show(
      name,
      ...columns.map((column) => {
        const value = rows.median(`${name}: ${column}`)
        return column === 'first ms' || column === 'µs/event' ? value.toFixed(1) : whole(value)
      }),
    )
}

function holdBars(rows: Rows, silentBytes: number): boolean {
  const later = (name: string): number => {
    const alone = rows.values('agent alone: first ms')
    return median(rows.values(`behind, ${name}: first ms`).map((value, round) => value - alone[round]!))
  }
  const against = (name: string): number => rows.ratio(`behind, ${name}: 1 reader`, 'agent alone: 1 reader')
  return [
    isMet('first event later in ms, memory', later('memory'), 5, 'at most'),
    isMet('first event later in ms, SQLite', later('sqlite'), 5, 'at most'),
    isMet('events for one reader, memory to the agent alone', against('memory'), 0.8),
    isMet('events for one reader, SQLite to the agent alone', against('sqlite'), 0.5),
    isMet('KiB of a call without events', silentBytes / 1024, 12, 'at most'),
  ].every(Boolean)
}
