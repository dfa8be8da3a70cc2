/** The processes of comparisons: built programs, servers of this folder, and their CPU time and memory. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { distDir } from '../../build/paths.ts'
import { startNode } from '../../cluster/node.ts'

/** A running server. */
export interface Server {
  readonly port: number
  readonly pid: number
  /** CPU time that all threads of the server have used, in seconds. */
  cpuSeconds(): number
  /** Resident memory in bytes. */
  memory(): number
  stop(): Promise<void>
}

/** Runs a comparison with a temporary folder. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The path of a built file of a profile.
 * @throws Error if it is not built
 */
export function builtFile(profile: string, name = 'svc.mjs'): string {
  const file = join(distDir(profile), name)
  if (!existsSync(file)) throw new Error(`Build first: make build PROFILE=${profile}`)
  return file
}

/** Options of {@link startProgram}. */
export interface ProgramOptions {
  /** The built program; by default that of server-full. */
  readonly program?: string
  /** Folder for state and log. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** The only CPU core that the program runs on. Without it the program may use all cores. */
  readonly core?: number
}

/** Starts a built program with its runtime surface. Resolves when it is ready. */
export async function startProgram({ program, folder, environment, core }: ProgramOptions): Promise<Server> {
  const node = await startNode({
    program: program ?? builtFile('server-full'),
    folder,
    environment: { RUST_LOG: 'error', ...environment },
    through: core === undefined ? [] : pinned(core, []),
  })
  return { port: node.port, ...usageOf(node.pid), stop: async () => void (await node.stop()) }
}

/** Options of {@link startServer}. */
export interface ServerOptions {
  readonly core?: number
  /** File for the output; by default there is none. */
  readonly log?: string
}

/** Starts a file that calls {@link serving}; the file gets `setup` from {@link setupOf}. */
export async function startServer(file: URL, setup: unknown, { core, log }: ServerOptions = {}): Promise<Server> {
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', fileURLToPath(file), JSON.stringify(setup)]
  const [command, ...args] = core === undefined ? node : pinned(core, node)
  const out = log === undefined ? 'ignore' : openSync(log, 'w')
  const child = spawn(command!, args, { stdio: ['ignore', out, 'inherit', 'ipc'] })
  const exited = once(child, 'exit')
  const ended = exited.then(([code]) => Promise.reject(new Error(`a server ended with ${code}`)))
  ended.catch(() => undefined)
  const [port] = (await Promise.race([once(child, 'message'), ended])) as [number]
  const stop = async (): Promise<void> => {
    if (child.connected) child.disconnect()
    await exited
  }
  return { port, ...usageOf(child.pid!), stop }
}

/** The setup of this process, which {@link startServer} started. */
export function setupOf<T>(): T {
  return JSON.parse(process.argv[2]!) as T
}

/** Reports that this process serves, and ends it when its parent ends or stops it. */
export function serving(port: number): void {
  process.once('disconnect', () => process.exit(0))
  process.send!(port)
}

/** Returns `command`, run on one CPU core if the system supports that. */
export function pinned(core: number, command: readonly string[]): string[] {
  return [...(canPin ? ['taskset', '-c', String(core)] : []), ...command]
}

/** Moves all threads of a process to the first core, if the system supports that. */
export function pin({ pid }: Pick<Server, 'pid'>): void {
  if (canPin) spawnSync('taskset', ['-acp', '0', String(pid)])
}

const canPin = spawnSync('taskset', ['-V']).status === 0

function usageOf(pid: number): Pick<Server, 'pid' | 'cpuSeconds' | 'memory'> {
  return { pid, cpuSeconds: () => cpuOf([pid]), memory: () => memoryOf([pid]) }
}

/** Resident memory of processes, in bytes. */
export function memoryOf(pids: readonly number[]): number {
  return pids.reduce(
    (sum, pid) => sum + Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024,
    0,
  )
}

/** CPU time that all threads of processes have used, in seconds: the first number of proc(5)'s `schedstat`. */
export function cpuOf(pids: readonly number[]): number {
  const threads = pids.flatMap((pid) =>
    readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/schedstat`),
  )
  return threads.reduce((sum, file) => sum + Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e9, 0)
}
