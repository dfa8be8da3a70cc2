/** Child processes of this benchmark. Each answers calls from its parent, by function name. */
import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface Call {
  readonly no: number
  readonly name: string
  readonly given: unknown
}

interface Answer {
  readonly no: number
  readonly value?: unknown
  readonly error?: string
}

/** The calls of a process, as an object of functions. */
export type Calls = object

type Given<C, N extends keyof C> = C[N] extends (given: infer G) => unknown ? G : never
type Result<C, N extends keyof C> = C[N] extends (given: never) => infer M ? Awaited<M> : never

/** A running process. */
export interface Running<C extends Calls> {
  call<N extends keyof C & string>(name: N, given: Given<C, N>): Promise<Result<C, N>>
  /** Resident memory in MiB; 0 on platforms without /proc. */
  residentMiB(): number
  stop(): Promise<void>
}

/** Starts a file of this folder. The child gets `given` from {@link started}. */
export async function start<C extends Calls>(file: string, given: unknown): Promise<Running<C>> {
  const child: ChildProcess = fork(fileURLToPath(new URL(file, import.meta.url)), [JSON.stringify(given)], {
    execArgv: ['--disable-warning=ExperimentalWarning', '--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const waiting = new Map<number, (answer: Answer) => void>()
  let last = 0
  await new Promise<void>((resolve, reject) => {
    child.on('message', (answer: Answer | 'ready') => {
      if (answer === 'ready') return resolve()
      waiting.get(answer.no)?.(answer)
      waiting.delete(answer.no)
    })
    child.once('exit', (code) => {
      reject(new Error(`${file} ended with ${code}`))
      for (const settle of waiting.values()) settle({ no: 0, error: `${file} ended with ${code}` })
    })
  })
  return {
    call: (name, asked) =>
      new Promise((resolve, reject) => {
        const no = ++last
        waiting.set(no, ({ value, error }) =>
          error === undefined ? resolve(value as never) : reject(new Error(error)),
        )
        child.send({ no, name, given: asked } satisfies Call)
      }),
    residentMiB() {
      const status = `/proc/${child.pid}/status`
      return existsSync(status) ? Number(/VmRSS:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1] ?? 0) / 1024 : 0
    },
    stop: () =>
      new Promise((resolve) => {
        child.removeAllListeners('exit').once('exit', () => resolve())
        child.disconnect()
      }),
  }
}

/** The value that this process was started with. */
export function started<T>(): T {
  return JSON.parse(process.argv[2]!) as T
}

/** Answers calls until the parent disconnects. */
export function answer(calls: Calls): void {
  process.on('message', ({ no, name, given }: Call) => {
    const work = async (): Promise<unknown> => (calls as Record<string, (given: unknown) => unknown>)[name]!(given)
    work().then(
      (value) => process.send!({ no, value } satisfies Answer),
      (error: unknown) => process.send!({ no, error: error instanceof Error ? error.stack! : String(error) }),
    )
  })
  process.on('disconnect', () => process.exit(0))
  process.send!('ready')
}
