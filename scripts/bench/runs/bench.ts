/**
 * Measures appends to runs over HTTP on the shipped program, in memory and in SQLite, and bare grouped commits of the
 * same bytes. All are measured in turn, in one run. A durable append costs an HTTP request and a share of a commit, so
 * the slower of the two is its bound.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CONTRACT_SECRET, mint } from '../../../plugins/auth/contract-tokens.ts'
import { distDir } from '../../build/paths.ts'
import { freePort } from '../../free-port.ts'
import { median } from '../statistics.ts'

/** The lowest allowed ratio of durable appends to the bound. */
const BAR = 0.5
const ROUNDS = Number(process.env['SVC_BENCH_ROUNDS'] ?? 5)
const APPENDS = 4_000
/** Number of runs that are appended to at once, and of rows in one bare commit. */
const CONCURRENCY = 64

const program = join(distDir('server-full'), 'svc.mjs')
const event = JSON.stringify({ type: 'CUSTOM', name: 'token', value: 'x'.repeat(100) })

/** Runs the comparison. Returns false if the bar is missed. */
export async function benchRuns(): Promise<boolean> {
  if (!existsSync(program)) throw new Error('Build first: make build PROFILE=server-full')
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const stores = { memory: await startService(folder, 'memory'), sqlite: await startService(folder, 'sqlite') }
  const ofBound: number[] = []
  try {
    for (const service of Object.values(stores)) await service.append(APPENDS / 4)
    for (let round = 0; round < ROUNDS; round++) {
      const bound = commitBare(join(folder, `bound-${round}.db`))
      const memory = await stores.memory.append(APPENDS)
      const sqlite = await stores.sqlite.append(APPENDS)
      const show = (name: string, perSecond: number): void =>
        console.log(`${name.padEnd(34)} ${perSecond.toFixed(0).padStart(7)}/s`)
      show('bare grouped commits of 64', bound)
      show('appends over HTTP, in memory', memory)
      show('appends over HTTP, in SQLite', sqlite)
      console.log(`${'SQLite against memory'.padEnd(34)} ${(sqlite / memory).toFixed(2).padStart(7)}`)
      ofBound.push(sqlite / Math.min(bound, memory))
    }
  } finally {
    for (const service of Object.values(stores)) await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const ratio = median(ofBound)
  const isMet = ratio >= BAR
  console.log(
    `${isMet ? 'ok  ' : 'FAIL'} appends in SQLite against the slower of commit and HTTP: ${ratio.toFixed(2)} (at least ${BAR})`,
  )
  return isMet
}

/** Rows per second that SQLite alone commits, 64 per commit. */
function commitBare(file: string): number {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (run TEXT, r TEXT) STRICT')
  const insert = database.prepare('INSERT INTO t VALUES (?, ?)')
  const fromMs = performance.now()
  for (let i = 0; i < APPENDS; i += CONCURRENCY) {
    database.exec('BEGIN IMMEDIATE')
    for (let n = 0; n < CONCURRENCY; n++) insert.run(`run ${n}`, event)
    database.exec('COMMIT')
  }
  const perSecond = APPENDS / ((performance.now() - fromMs) / 1000)
  database.close()
  return perSecond
}

interface Service {
  /** Appends a number of events to new runs. Resolves to appends per second. */
  append(count: number): Promise<number>
  stop(): Promise<void>
}

async function startService(folder: string, store: 'memory' | 'sqlite'): Promise<Service> {
  const home = join(folder, store)
  mkdirSync(home)
  const port = await freePort()
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      HOME: home,
      RUST_LOG: 'error',
      SVC_SERVER__MODE: 'runtime',
      SVC_SERVER__PORT: String(port),
      SVC_STORAGE__DIR: join(home, 'state'),
      SVC_SECURITY__JWT_SECRET: CONTRACT_SECRET,
      SVC_REALTIME__RUN_STORE: store,
      SVC_REALTIME__MAX_RUNNING_RUNS_PER_IDENTITY: '4096',
      SVC_REALTIME__RUNS_IDENTITY_SHARE: '1',
      SVC_REALTIME__RUNS_TENANT_SHARE: '1',
    },
  })
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY })
  const headers = {
    authorization: `Bearer ${await mint({ sub: 'bench', exp: Math.floor(Date.now() / 1000) + 3_600 })}`,
    'content-type': 'application/json',
  }
  const post = (path: string, body: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers }, (answer) =>
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0)),
      )
      sent.once('error', reject).end(body)
    })
  const expect = async (path: string, body: string, status: number): Promise<void> => {
    const got = await post(path, body)
    if (got !== status) throw new Error(`${path}: ${got}`)
  }
  for (let attempt = 0; (await post('/health', '').catch(() => 0)) === 0; attempt++) {
    if (attempt > 200) throw new Error('the service does not start')
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return {
    async append(count) {
      const ids = Array.from({ length: CONCURRENCY }, () => randomUUID())
      for (const run_id of ids) {
        await expect('/api/svc/runs', JSON.stringify({ run_id }), 201)
        const started = { type: 'RUN_STARTED', threadId: 't', runId: run_id }
        await expect(`/api/svc/runs/${run_id}/events`, JSON.stringify(started), 200)
      }
      const fromMs = performance.now()
      await Promise.all(
        ids.map(async (id) => {
          for (let n = 0; n < count / CONCURRENCY; n++) await expect(`/api/svc/runs/${id}/events`, event, 200)
        }),
      )
      const perSecond = count / ((performance.now() - fromMs) / 1000)
      for (const run_id of ids)
        await expect(
          `/api/svc/runs/${run_id}/events`,
          JSON.stringify({ type: 'RUN_FINISHED', threadId: 't', runId: run_id }),
          200,
        )
      return perSecond
    },
    stop() {
      agent.destroy()
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      child.kill()
      return ended
    },
  }
}
