/** Processes that a script or a test starts and ends, each by its own id. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'

/** What a child is started with. */
export interface ChildOptions {
  readonly args?: readonly string[]
  /** Replaces the environment; that of this process where absent. */
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  /** Whom it runs as; the user of this process where absent. */
  readonly uid?: number
  readonly gid?: number
  /** Whether it has an input, for `write`. */
  readonly hasInput?: boolean
  /** Whether it gets no signals of the terminal, so that Ctrl-C reaches the process that started it alone. */
  readonly isDetached?: boolean
  /** Takes all that it writes, where it may run for long; then `out` and `err` stay empty. */
  readonly logFile?: string
}

/** How a child ended. */
export interface ChildExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A running child. */
export interface Child {
  readonly pid: number
  /** All that it has written to stdout, and to stderr. */
  readonly out: string
  readonly err: string
  readonly exited: Promise<ChildExit>
  /** Waits until its output matches; fails when it ends first, or after `limitMs`. */
  waitFor(expression: RegExp, limitMs?: number): Promise<RegExpExecArray>
  /** Writes to its input. */
  write(text: string): void
  kill(signal: NodeJS.Signals): void
  /** Asks it to end, and ends it by force `graceMs` later. */
  stop(signal?: NodeJS.Signals, graceMs?: number): Promise<ChildExit>
}

const running = new Set<ChildProcess>()

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a program. A child that is left behind ends with the process that started it. */
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
  const heard = (): void => {
    for (const listener of listeners) listener()
  }
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text.out += chunk
    heard()
  })
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text.err += chunk
    heard()
  })
  running.add(child)
  let over = false
  const exited = new Promise<ChildExit>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      over = true
      running.delete(child)
      resolve({ code, signal })
      heard()
    })
  })
  exited.catch(() => undefined)

  const waitFor = (expression: RegExp, limitMs = 10_000): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const settle = (then: () => void): void => {
        clearTimeout(timer)
        listeners.delete(look)
        then()
      }
      const give = (why: string): void =>
        settle(() => reject(new Error(`${why} before ${expression} was seen\n${text.out}\n${text.err}`)))
      const look = (): void => {
        const found = expression.exec(text.out) ?? expression.exec(text.err)
        if (found !== null) settle(() => resolve(found))
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
    stop: async (signal = 'SIGTERM', graceMs = 5_000) => {
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
