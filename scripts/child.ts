/** Starts and stops child processes of scripts and tests, each by its process id. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'

/** Options of {@link startChild}. */
export interface ChildOptions {
  readonly args?: readonly string[]
  /** Replaces the environment. The default is the environment of this process. */
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  /** User that the child runs as. The default is the user of this process. */
  readonly uid?: number
  readonly gid?: number
  /** Whether the child has stdin, for `write`. */
  readonly hasInput?: boolean
  /** Whether the child runs in a separate process group, so that Ctrl-C reaches only the parent. */
  readonly isDetached?: boolean
  /** File for the output of the child, for long runs. `out` and `err` then stay empty. */
  readonly logFile?: string
}

/** The exit status of a child. */
export interface ChildExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A running child. */
export interface Child {
  readonly pid: number
  /** The output of the child so far: stdout, and stderr. */
  readonly out: string
  readonly err: string
  readonly exited: Promise<ChildExit>
  /** Waits until the output matches. Rejects if the child ends before, or after `limitMs`. */
  waitFor(expression: RegExp, limitMs?: number): Promise<RegExpExecArray>
  /** Writes to the stdin of the child. */
  write(text: string): void
  kill(signal: NodeJS.Signals): void
  /** Sends `signal`, and SIGKILL after `graceMs`: by default later than the 10 s in which a service ends its work. */
  stop(signal?: NodeJS.Signals, graceMs?: number): Promise<ChildExit>
}

const running = new Set<ChildProcess>()

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a program. If this process exits, it kills its remaining children. */
export function startChild(command: string, options: ChildOptions = {}): Child {
  const log = options.logFile === undefined ? undefined : openSync(options.logFile, 'a', 0o600)
  const child: ChildProcess = spawn(command, [...(options.args ?? [])], {
    stdio: [options.hasInput === true ? 'pipe' : 'ignore', log ?? 'pipe', log ?? 'pipe'],
    detached: options.isDetached === true,
    ...(options.env === undefined ? {} : { env: options.env }),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.uid === undefined ? {} : { uid: options.uid }),
    ...(options.gid === undefined ? {} : { gid: options.gid }),
  })
  if (log !== undefined) closeSync(log)
  const text = { out: '', err: '' }
  const listeners = new Set<() => void>()
  const notify = (): void => {
    for (const listener of listeners) listener()
  }
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text.out += chunk
    notify()
  })
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text.err += chunk
    notify()
  })
  running.add(child)
  let over = false
  const exited = new Promise<ChildExit>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      over = true
      running.delete(child)
      resolve({ code, signal })
      notify()
    })
  })
  exited.catch(() => undefined)

  const waitFor = (expression: RegExp, limitMs = 60_000): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const settle = (then: () => void): void => {
        clearTimeout(timer)
        listeners.delete(look)
        then()
      }
      const give = (why: string): void =>
        settle(() => reject(new Error(`${why} before ${expression} was seen\n${text.out}\n${text.err}`)))
      const look = (): void => {
        const match = expression.exec(text.out) ?? expression.exec(text.err)
        if (match !== null) settle(() => resolve(match))
        else if (over) give('the child ended')
      }
      const timer = setTimeout(() => give(`${limitMs} ms passed`), limitMs)
      listeners.add(look)
      exited.catch((error: Error) => settle(() => reject(error)))
      look()
    })

  return {
    pid: child.pid ?? -1,
    get out() {
      return text.out
    },
    get err() {
      return text.err
    },
    exited,
    waitFor,
    write: (text) => void child.stdin?.write(text),
    kill: (signal) => void child.kill(signal),
    stop: async (signal = 'SIGTERM', graceMs = 15_000) => {
      child.kill(signal)
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
      try {
        return await exited
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
