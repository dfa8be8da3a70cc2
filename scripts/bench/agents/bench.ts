/**
 * Compares an agent that is read directly with the same agent behind the service, whose runs are in memory or in SQLite: the first event,
 * events a second for one reader and for many, the processor time of the service, and the memory of calls that say nothing. The same
 * agent behind a proxy that only passes bytes on shows which part of the difference any process in between has.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, type RequestOptions, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CONTRACT_SECRET, mint } from '../../../plugins/auth/contract-tokens.ts'
import { distDir } from '../../build/paths.ts'
import { freePort } from '../../free-port.ts'
import { isMet } from '../bars.ts'
import { median } from '../statistics.ts'

const ROUNDS = Number(process.env['SVC_BENCH_ROUNDS'] ?? 5)
/** Text events of a run for one reader, and for many. */
const EVENTS = 20_000
const EVENTS_OF_MANY = 2_000
const READERS = 100
/** Short runs, one after the other, whose first event is timed. */
const FIRST = 40
const SILENT = 1_000
/** Ticks of a second in /proc; Linux has 100 everywhere. */
const TICKS = 100

const program = join(distDir('server-full'), 'svc.mjs')

/** Where runs are asked for. */
interface Contestant {
  readonly name: string
  readonly port: number
  /** The process of the service; undefined for the agent alone. */
  readonly pid?: number
  readonly headers: Readonly<Record<string, string>>
  /** Whether many readers join one run; without the service each of them makes a run. */
  readonly isShared: boolean
}

interface Figures {
  readonly firstMs: number[]
  readonly one: number[]
  readonly many: number[]
  readonly microseconds: number[]
}

/** Runs the comparison. Returns false if a bar is missed. */
export async function benchAgents(): Promise<boolean> {
  if (!existsSync(program)) throw new Error('Build first: make build PROFILE=server-full')
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const agent = fork(join(import.meta.dirname, 'agent-child.ts'))
  const services: ChildProcess[] = []
  try {
    const [port] = (await once(agent, 'message')) as [number]
    const proxy = fork(join(import.meta.dirname, 'proxy-child.ts'), [`http://127.0.0.1:${port}`])
    services.push(proxy)
    const [proxyPort] = (await once(proxy, 'message')) as [number]
    const contestants: Contestant[] = [
      { name: 'agent alone', port, headers: {}, isShared: false },
      { name: 'a bare proxy', port: proxyPort, pid: proxy.pid!, headers: {}, isShared: false },
    ]
    for (const store of ['memory', 'sqlite']) {
      contestants.push(await startService(store, join(folder, store), port, services))
    }
    const figures = new Map(contestants.map((one) => [one, newFigures()]))
    for (const one of contestants) await measure(one, newFigures())
    for (let round = 0; round < ROUNDS; round++)
      // Every other round in reverse order, because the speed of the machine drifts.
      for (const [one, row] of round % 2 === 0 ? figures : [...figures].reverse()) await measure(one, row)
    print(figures)
    const passed = await bytesOfSilentCalls(contestants[1]!)
    const silent = await bytesOfSilentCalls(contestants[2]!)
    const kib = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`
    console.log(
      `memory of a call that says nothing: ${kib(silent)}; of the bare proxy ${kib(passed)} (${SILENT} under way)`,
    )
    return holdBars([...figures.values()], silent)
  } finally {
    for (const child of services) child.kill()
    agent.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

function newFigures(): Figures {
  return { firstMs: [], one: [], many: [], microseconds: [] }
}

async function measure(one: Contestant, { firstMs, one: alone, many, microseconds }: Figures): Promise<void> {
  const firsts: number[] = []
  for (let n = 0; n < FIRST; n++) firsts.push((await read(one, randomUUID(), 1)).firstMs)
  firstMs.push(median(firsts))
  const before = processorSeconds(one)
  alone.push(EVENTS / (await read(one, randomUUID(), EVENTS)).seconds)
  microseconds.push(((processorSeconds(one) - before) * 1e6) / EVENTS)
  const since = performance.now()
  const shared = randomUUID()
  const ids = Array.from({ length: READERS }, () => (one.isShared ? shared : randomUUID()))
  await Promise.all(ids.map((id) => read(one, id, EVENTS_OF_MANY)))
  many.push((READERS * EVENTS_OF_MANY) / ((performance.now() - since) / 1_000))
}

/** Calls the agent, or joins the run of the same input, and reads it to its end. */
function read(
  { port, headers }: Contestant,
  runId: string,
  events: number,
): Promise<{ readonly firstMs: number; readonly seconds: number }> {
  const since = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request({ ...callTo(port, headers), agent: false }, (answer) => {
      let firstMs = 0
      let tail = ''
      answer.setEncoding('utf8').on('data', (text: string) => {
        // The service writes RUN_STARTED by itself, so the first event is the first of the agent's own.
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

/** Resident memory of the service for each call under way of an agent that says nothing. */
async function bytesOfSilentCalls({ port, pid, headers, isShared }: Contestant): Promise<number> {
  const before = residentBytes(pid!)
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  await Promise.all(
    Array.from(
      { length: SILENT },
      () =>
        new Promise<void>((resolve, reject) => {
          // The service answers with the record at once. The proxy has nothing but the answer of the agent, which stays open.
          const call = callTo(port, { ...headers, accept: isShared ? 'application/json' : 'text/event-stream' })
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
  return (residentBytes(pid!) - before) / SILENT
}

/** Starts a service in front of the agent. `services` has its process from the first moment, so that it is ended in any case. */
async function startService(
  store: string,
  home: string,
  agentPort: number,
  services: ChildProcess[],
): Promise<Contestant> {
  const port = await freePort()
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      HOME: home,
      RUST_LOG: 'error',
      SVC_SERVER__MODE: 'runtime',
      SVC_SERVER__PORT: String(port),
      SVC_STORAGE__DIR: home,
      SVC_SECURITY__JWT_SECRET: CONTRACT_SECRET,
      SVC_REALTIME__RUN_STORE: store,
      SVC_REALTIME__AGENTS: JSON.stringify({ bench: { url: `http://127.0.0.1:${agentPort}` } }),
      // Limits on one caller, who is everybody here.
      SVC_REALTIME__MAX_AGENT_CALLS_PER_IDENTITY: '4096',
      SVC_REALTIME__MAX_AGENT_CALLS_PER_TENANT: '4096',
      SVC_REALTIME__MAX_RUNNING_RUNS_PER_IDENTITY: '4096',
      SVC_REALTIME__MAX_STREAMS_PER_IDENTITY: '4096',
      SVC_REALTIME__RUNS_IDENTITY_SHARE: '1',
      SVC_REALTIME__RUNS_TENANT_SHARE: '1',
      SVC_REALTIME__STREAMS_TENANT_SHARE: '1',
      SVC_REALTIME__RUN_MAX_EVENTS: '65536',
    },
  })
  services.push(child)
  for (let attempt = 0; !(await isUp(port)); attempt++) {
    if (attempt > 400 || child.exitCode !== null) throw new Error('the service does not start')
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  const authorization = `Bearer ${await mint({ sub: 'bench', exp: Math.floor(Date.now() / 1000) + 3_600 })}`
  return { name: `behind, ${store}`, port, pid: child.pid!, headers: { authorization }, isShared: true }
}

function isUp(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health`).then(
    async (answer) => {
      await answer.body?.cancel()
      return answer.ok
    },
    () => false,
  )
}

/** Processor seconds of the service so far; 0 for the agent alone. */
function processorSeconds({ pid }: Contestant): number {
  if (pid === undefined) return 0
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024
}

function print(figures: ReadonlyMap<Contestant, Figures>): void {
  const columns = ['first ms', '1 reader', `${READERS} readers`, 'µs/event']
  console.log(`first event; events delivered a second; processor time of the service; medians of ${ROUNDS} rounds`)
  console.log(''.padEnd(16) + columns.map((title) => title.padStart(13)).join(''))
  for (const [{ name }, { firstMs, one, many, microseconds }] of figures) {
    const cells = [
      median(firstMs).toFixed(1),
      median(one).toFixed(0),
      median(many).toFixed(0),
      median(microseconds).toFixed(1),
    ]
    console.log(name.padEnd(16) + cells.map((cell) => cell.padStart(13)).join(''))
  }
}

function holdBars([alone, , memory, sqlite]: readonly Figures[], silentBytes: number): boolean {
  const against = (one: Figures, of: (row: Figures) => number[]): number =>
    median(of(one).map((value, round) => value / of(alone!)[round]!))
  const later = (one: Figures): number => median(one.firstMs.map((value, round) => value - alone!.firstMs[round]!))
  return [
    isMet('first event later in ms, memory', later(memory!), 5, 'at most'),
    isMet('first event later in ms, SQLite', later(sqlite!), 5, 'at most'),
    isMet(
      'events for one reader, memory to the agent alone',
      against(memory!, (row) => row.one),
      0.8,
    ),
    isMet(
      'events for one reader, SQLite to the agent alone',
      against(sqlite!, (row) => row.one),
      0.5,
    ),
    isMet('KiB of a call that says nothing', silentBytes / 1024, 12, 'at most'),
  ].every((met) => met)
}
