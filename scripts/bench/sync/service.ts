/** The sync service as it ships, on a store of its own. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { distDir } from '../../build/paths.ts'

/** The program that is measured. */
export const program: string = join(distDir('server-full'), 'svc.mjs')

/** A service that runs. */
export interface Service {
  readonly socketPath: string
  /** Resident memory in MiB; 0 where the platform does not say. */
  residentMiB(): number
  /** Ends it and removes its store. */
  stop(): Promise<void>
}

/** Starts the service with one device, which may push to project `bench` where no scopes are given. */
export async function startService(
  folder: string,
  keyFile: string,
  scopes: readonly string[] = ['kbd-control:bench'],
): Promise<Service> {
  const socketPath = join(folder, 'run', 's.sock')
  const environment = {
    ...process.env,
    SVC_STORAGE__DIR: join(folder, 'state'),
    SVC_SYNC__SOCKET_PATH: socketPath,
    SVC_SYNC__WINDOW_PAST_MS: '86400000',
    SVC_SERVER__MODE: 'sync',
    SVC_SECURITY__JWT_SECRET: 'benchmark-secret-of-at-least-32-bytes',
    SVC_SERVER__PORT: '0',
    // A client that waits for its core for long is no idle one.
    SVC_SERVER__IDLE_TIMEOUT_MS: '120000',
    RUST_LOG: 'error',
  }
  const start = (...args: string[]) =>
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    })

  const enrol = start('device', 'enroll', '--key', keyFile, ...scopes.flatMap((scope) => ['--scope', scope]))
  let complaint = ''
  enrol.stderr.on('data', (chunk) => (complaint += String(chunk)))
  const code = await new Promise((resolve) => enrol.once('exit', resolve))
  if (code !== 0) throw new Error(`device enroll ended with ${code}: ${complaint}`)

  const daemon = start()
  daemon.stderr.pipe(process.stderr)
  for (let i = 0; i < 100 && !existsSync(socketPath); i++) await new Promise((done) => setTimeout(done, 50))
  return {
    socketPath,
    residentMiB() {
      const status = `/proc/${daemon.pid}/status`
      return existsSync(status) ? Number(/VmRSS:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1] ?? 0) / 1024 : 0
    },
    async stop() {
      const ended = new Promise((done) => daemon.once('exit', done))
      daemon.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
