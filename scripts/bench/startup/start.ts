/** Starts a process and measures the cost of the start. */
import { execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { freePort } from '../../free-port.ts'

/** The cost of a start. CPU time and memory are only available on Linux, and NaN elsewhere. */
export interface Cost {
  readonly timeMs: number
  /** User and system time of all threads, in milliseconds. */
  readonly processorMs: number
  /**
   * Private memory in MiB. Pages of mapped files are excluded: they are shared, and their number depends on what the
   * system has read before.
   */
  readonly memoryMib: number
}

/**
 * Starts Node with an empty script, and waits for its end. A second start, whose script only reads the usage, measures
 * CPU time and memory.
 */
export async function startBare(): Promise<Cost> {
  const timeMs = await timeToExit(['-e', '0'])
  if (process.platform !== 'linux') return { timeMs, ...unknown }
  const tell = `const { readdirSync, readFileSync } = require('node:fs')
    const threads = readdirSync('/proc/self/task').map((id) => readFileSync('/proc/self/task/' + id + '/schedstat', 'utf8'))
    process.stdout.write(JSON.stringify([threads, readFileSync('/proc/self/status', 'utf8')]))`
  const [threads, status] = JSON.parse(execFileSync(process.execPath, ['-e', tell], { encoding: 'utf8' })) as [
    string[],
    string,
  ]
  return { timeMs, ...toUsage(threads, status) }
}

/** Starts a service with `folder` as its home, waits for its first 200, and kills it. */
export async function startService(command: string, args: readonly string[], folder: string): Promise<Cost> {
  const port = await freePort()
  const startedMs = performance.now()
  const child = spawn(command, args, {
    stdio: 'ignore',
    env: {
      HOME: folder,
      SVC_SERVER__PORT: String(port),
      SVC_SECURITY__JWT_SECRET: 'benchmark-secret-of-at-least-32-bytes',
      RUST_LOG: 'error',
    },
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  try {
    while (!(await answers(port))) {
      if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}`)
    }
    return { timeMs: performance.now() - startedMs, ...usageOf(child.pid!) }
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

type Usage = Omit<Cost, 'timeMs'>

const unknown: Usage = { processorMs: Number.NaN, memoryMib: Number.NaN }

function usageOf(pid: number): Usage {
  if (process.platform !== 'linux') return unknown
  const threads = readdirSync(`/proc/${pid}/task`).map((id) =>
    readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8'),
  )
  return toUsage(threads, readFileSync(`/proc/${pid}/status`, 'utf8'))
}

/** proc(5): `schedstat` of each thread begins with its CPU time in nanoseconds; `RssAnon` of a status is in KiB. */
function toUsage(threads: readonly string[], status: string): Usage {
  const nanoseconds = threads.reduce((sum, line) => sum + Number(line.split(' ')[0]), 0)
  return { processorMs: nanoseconds / 1e6, memoryMib: Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)![1]) / 1_024 }
}

function timeToExit(args: readonly string[]): Promise<number> {
  const startedMs = performance.now()
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: 'ignore' }).once('error', reject)
    child.once('exit', () => resolve(performance.now() - startedMs))
  })
}

/**
 * Makes one request. Returns false after a millisecond if the connection is refused, so that waiting uses almost no CPU
 * time.
 */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/health', agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode === 200))
    })
    request.once('error', () => setTimeout(resolve, 1, false))
  })
}
