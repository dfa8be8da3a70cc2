/** A service of the bench, and appends to its runs over HTTP. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { CONTRACT_SECRET, mint } from '../../../plugins/auth/contract-tokens.ts'
import { freePort } from '../../free-port.ts'

/** Runs that are appended to at once. */
const CONCURRENCY = 64

/** The event of each append: JSON of about 150 bytes. */
const event: string = JSON.stringify({ type: 'CUSTOM', name: 'token', value: 'x'.repeat(100) })

/** A service whose runs are appended to. */
export interface Service {
  /** Appends a number of events to new runs. Resolves to appends per second. */
  append(count: number): Promise<number>
  stop(): Promise<void>
}

/** Starts a program with its state in a new folder, and the limits on runs out of the way. */
export async function startService(
  program: string,
  home: string,
  settings: Readonly<Record<string, string>>,
): Promise<Service> {
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
      ...settings,
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
