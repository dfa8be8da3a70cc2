/** Starts servers, pins them to one core, and reads their CPU time. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A running server. */
export interface Contestant {
  readonly name: string
  readonly port: number
  /** CPU time that all threads of the server have used, in seconds. */
  cpuSeconds(): number
  /**
   * Pins the server to one core from now on, if the system supports that. Before, its JIT compiler can use the other
   * core.
   */
  pin(): void
  stop(): Promise<void>
}

const pinning = spawnSync('taskset', ['-V']).status === 0

/** Returns `command`, run on one CPU core if the system supports that. */
export function pinned(core: number, command: readonly string[]): [string, string[]] {
  const [file, ...args] = pinning ? ['taskset', '-c', String(core), ...command] : command
  return [file!, args]
}

/** Starts one of the servers of `server.ts`. */
export function startContestant(kind: string): Promise<Contestant> {
  return start(kind, [process.execPath, fileURLToPath(new URL('./server.ts', import.meta.url)), kind], {})
}

/** Starts a built program with settings for a benchmark: a free port, no log, `folder` for its data. */
export function startProgram(name: string, file: string, transport: string, folder: string): Promise<Contestant> {
  return start(name, [process.execPath, file, '--mode', 'runtime'], {
    SVC_SECURITY__JWT_SECRET: 'a-secret-that-guards-nothing-but-a-bench',
    SVC_SERVER__PORT: '0',
    SVC_SERVER__TRANSPORT: transport,
    SVC_STORAGE__DIR: folder,
    // The address is logged once, at start. Request logs are off, because they are not part of the comparison.
    RUST_LOG: 'off,svc::transport=info',
  })
}

async function start(name: string, command: readonly string[], more: Record<string, string>): Promise<Contestant> {
  const [file, ...args] = command
  const child = spawn(file!, args, { env: { ...process.env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const port = await portOf(name, child)
  const pid = child.pid!
  return {
    name,
    port,
    cpuSeconds: () => {
      let ns = 0
      for (const thread of readdirSync(`/proc/${pid}/task`)) {
        ns += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
      }
      return ns / 1e9
    },
    pin: () => {
      if (pinning) spawnSync('taskset', ['-acp', '0', String(pid)])
    },
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** Reads the port from the output: a line that contains only the port, or the log record with the address. */
function portOf(name: string, child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = ''
    const append = (text: Buffer): void => {
      output += text.toString()
      const port = /^(\d+)$/m.exec(output)?.[1] ?? /"address":"[^"]*:(\d+)"/.exec(output)?.[1]
      if (port !== undefined) resolve(Number(port))
    }
    child.stdout!.on('data', append)
    child.stderr!.on('data', append)
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}: ${output.slice(-1_000)}`)))
  })
}
