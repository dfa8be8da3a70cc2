import { mkdirSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { type Child, type ChildExit, startChild } from '../child.ts'
import { freePort } from '../free-port.ts'

/** A node on this machine with a separate folder and port, which stay the same after a restart. */
export interface ClusterNode {
  readonly port: number
  readonly pid: number
  /** File of the node's log. */
  readonly logFile: string
  /** Resolves when the current process ends. */
  readonly exited: Promise<ChildExit>
  /** Restarts the node after it has ended, with another program if one is given. Resolves when the node is ready. */
  start(program?: string): Promise<void>
  /** Stops the node; kills it after 15 s. */
  stop(signal?: NodeJS.Signals): Promise<ChildExit>
}

/** Options of {@link startNode}. */
export interface NodeOptions {
  /** The built program. */
  readonly program: string
  /** Folder for state and log; created if missing. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** Command prefix of the program, such as `taskset -c 0`. */
  readonly through?: readonly string[]
  /** Whether the node gets no signals from the terminal. */
  readonly isDetached?: boolean
}

/** Longest time in milliseconds until a node is ready. */
const START_LIMIT_MS = 30_000

/** Milliseconds before a node is killed. This is longer than the node's own limit for a shutdown. */
const STOP_LIMIT_MS = 15_000

/**
 * Starts a node. Resolves when the node is ready.
 * @throws Error with the node's log if the node ends before
 */
export async function startNode(options: NodeOptions): Promise<ClusterNode> {
  const { program, folder, environment, through = [], isDetached = false } = options
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const port = await freePort()
  const logFile = join(folder, 'log')
  const env = {
    HOME: folder,
    XDG_RUNTIME_DIR: folder,
    SVC_STORAGE__DIR: join(folder, 'state'),
    SVC_SERVER__PORT: String(port),
    ...environment,
  }
  let present = program
  let child: Child
  const start = async (next: string = present): Promise<void> => {
    present = next
    const node = [process.execPath, '--disable-warning=ExperimentalWarning', present, '--mode', 'runtime']
    const [command, ...args] = [...through, ...node]
    child = startChild(command!, { args, env, cwd: folder, logFile, isDetached })
    let ended = false
    child.exited.then(
      () => (ended = true),
      () => (ended = true),
    )
    for (const since = performance.now(); !(await isReady(port)); await pause(25)) {
      if (!ended && performance.now() - since < START_LIMIT_MS) continue
      await child.stop('SIGKILL')
      throw new Error(`a node did not become ready\n${readFileSync(logFile, 'utf8')}`)
    }
  }
  await start()
  return {
    port,
    get pid() {
      return child.pid
    },
    logFile,
    get exited() {
      return child.exited
    },
    start,
    stop: (signal = 'SIGTERM') => child.stop(signal, STOP_LIMIT_MS),
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Longest time in milliseconds that a probe may take. */
const LIMIT_MS = 1_000

/** Whether the service on a port of this machine reports that it is ready. */
export function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = get({ host: '127.0.0.1', port, path: '/readyz', agent: false, timeout: LIMIT_MS }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    asked.on('timeout', () => asked.destroy(new Error('no answer')))
    asked.on('error', () => resolve(false))
  })
}
