import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Child, type ChildExit, startChild } from '../child.ts'
import { freePort } from '../free-port.ts'
import { isReady } from './probe.ts'

/** A node on this machine, with a folder and a port of its own, which it keeps when it is started again. */
export interface ClusterNode {
  readonly port: number
  readonly pid: number
  /** What it logs. */
  readonly logFile: string
  /** How the process that runs now ends. */
  readonly exited: Promise<ChildExit>
  /** Starts it again once it has ended, with another program if one is named; resolves when it is ready. */
  start(program?: string): Promise<void>
  /** Ends it; after 15 s by force. */
  stop(signal?: NodeJS.Signals): Promise<ChildExit>
}

/** What a node is made of. */
export interface NodeOptions {
  /** The built program. */
  readonly program: string
  /** Takes its state and its log; made where it is not there. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** What the program is run through, such as `taskset -c 0`. */
  readonly through?: readonly string[]
  /** Whether signals of the terminal do not reach it. */
  readonly isDetached?: boolean
}

/** Longest time in milliseconds until a node is ready. */
const START_LIMIT_MS = 30_000

/** More than a node takes for itself to end what is open. */
const STOP_LIMIT_MS = 15_000

/** Starts a node; resolves when it is ready. @throws Error with its log where it ends before that */
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
