/** Starts the shipped sync service with a new store. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { distDir } from '../../build/paths.ts'

/** The measured program. */
export const program: string = join(distDir('server-full'), 'svc.mjs')

/** A running service. */
export interface Service {
  readonly socketPath: string
  /** Resident memory in MiB; 0 on platforms without /proc. */
  residentMiB(): number
  /** Stops the service and removes its store. */
  stop(): Promise<void>
}

/** Starts the service with one enrolled device. By default the device may push to project `bench`. */
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
    // The timeout is long, because a client that waits for CPU time is not idle.
    SVC_SERVER__IDLE_TIMEOUT_MS: '120000',
    RUST_LOG: 'error',
  }
  const start = (...args: string[]) =>
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    })

  const enrol = start('device', 'enroll', '--key', keyFile, ...scopes.flatMap((scope) => ['--scope', scope]))
  let stderr = ''
  enrol.stderr.on('data', (chunk) => (stderr += String(chunk)))
  const code = await new Promise((resolve) => enrol.once('exit', resolve))
  if (code !== 0) throw new Error(`device enroll ended with ${code}: ${stderr}`)

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
