/** Starts the compared servers, each pinned to the first core. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A running server. */
export interface Contestant {
  readonly name: string
  readonly port: number
  readonly listenPath: string
  readonly publishPath: string
  /** A header of every request, such as a credential: `Name: value`. */
  readonly header?: string
  /** Resident memory of all processes of the server, in bytes. */
  memory(): number
  /** CPU time that all threads of the server have used, in seconds. */
  cpuSeconds(): number
  stop(): Promise<void>
}

/** Names of the contestants, in the order of the table. */
export const names = ['nchan', 'loop', 'better-sse', 'svc-node', 'svc-uws'] as const

/** Returns `command`, run on one core if the system supports that. */
export function pinned(core: number, command: readonly string[]): [string, string[]] {
  const [file, ...args] =
    spawnSync('taskset', ['-V']).status === 0 ? ['taskset', '-c', String(core), ...command] : command
  return [file!, args]
}

/** Starts a contestant. Returns undefined, with the reason on stderr, if the machine lacks it. */
export function start(name: (typeof names)[number], folder: string): Promise<Contestant | undefined> {
  return name === 'nchan' ? startNchan(folder) : startServer(name)
}

async function startServer(name: string): Promise<Contestant> {
  const [file, args] = pinned(0, [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    fileURLToPath(new URL('./server.ts', import.meta.url)),
    name,
  ])
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout!.once('data', (text: Buffer) => resolve(Number(String(text).split(' ')[1])))
    child.once('exit', () => reject(new Error(`${name} did not start`)))
  })
  const svc = name.startsWith('svc')
  return {
    name,
    port,
    listenPath: svc ? '/api/live' : '/sub',
    publishPath: svc ? '/api/live/bench' : '/pub',
    memory: () => memoryOf([child.pid!]),
    cpuSeconds: () => cpuOf([child.pid!]),
    stop: () => end(child),
  }
}

async function startNchan(folder: string): Promise<Contestant | undefined> {
  const module = '/usr/lib/nginx/modules/ngx_nchan_module.so'
  if (!existsSync(module)) {
    process.stderr.write(`Without Nchan: there is no ${module} (Debian: libnginx-mod-nchan).\n`)
    return undefined
  }
  const port = await freePort()
  mkdirSync(join(folder, 'tmp'), { recursive: true })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (what) => `${what}_temp_path ${folder}/tmp/${what};`,
  )
  const configuration = join(folder, 'nginx.conf')
  writeFileSync(
    configuration,
    `load_module ${module};
daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr crit;
events { worker_connections 16384; }
http {
  access_log off; ${temporary.join(' ')} keepalive_requests 1000000; nchan_shared_memory_size 256M;
  server {
    listen 127.0.0.1:${port} backlog=16384;
    location = /pub { nchan_publisher; nchan_channel_id bench; nchan_message_buffer_length 200; }
    location = /sub { nchan_subscriber eventsource; nchan_channel_id bench; nchan_subscriber_first_message newest; }
  }
}
`,
  )
  const [file, args] = pinned(0, ['nginx', '-p', folder, '-c', configuration, '-e', 'stderr'])
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const children = (): number[] =>
    readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  while (children().length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  await new Promise((resolve) => setTimeout(resolve, 200))
  return {
    name: 'nchan',
    port,
    listenPath: '/sub',
    publishPath: '/pub',
    memory: () => memoryOf([child.pid!, ...children()]),
    cpuSeconds: () => cpuOf([child.pid!, ...children()]),
    stop: () => end(child),
  }
}

/** Resident memory of processes, in bytes. */
export function memoryOf(pids: readonly number[]): number {
  return pids.reduce(
    (sum, pid) => sum + Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024,
    0,
  )
}

/** CPU time that all threads of processes have used, in seconds. */
export function cpuOf(pids: readonly number[]): number {
  const threads = pids.flatMap((pid) =>
    readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/schedstat`),
  )
  return threads.reduce((sum, file) => sum + Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e9, 0)
}

async function end(child: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await exited
  clearTimeout(timer)
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
