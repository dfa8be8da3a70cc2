/** Child processes of this comparison. Each answers the calls of its parent, one at a time, by function name. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

type ArgumentOf<C, N extends keyof C> = C[N] extends (argument: infer G) => unknown ? G : never
type Result<C, N extends keyof C> = C[N] extends (argument: never) => infer M ? Awaited<M> : never

/** A running process. */
export interface Running<C extends object> {
  readonly pid: number
  /** Calls a function. Calls must not overlap. */
  call<N extends keyof C & string>(name: N, argument: ArgumentOf<C, N>): Promise<Result<C, N>>
  stop(): Promise<void>
}

/** Starts a file of this folder. The child gets `setup` in its first argument. */
export async function start<C extends object>(file: string, setup: unknown): Promise<Running<C>> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [JSON.stringify(setup)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const exited = once(child, 'exit')
  const ended = exited.then(([code]) => Promise.reject(new Error(`${file} ended with ${code}`)))
  ended.catch(() => undefined)
  const next = async (): Promise<unknown> => ((await Promise.race([once(child, 'message'), ended])) as [unknown])[0]
  await next()
  return {
    pid: child.pid!,
    call: async (name, argument) => {
      const answer = next()
      child.send([name, argument])
      return (await answer) as never
    },
    stop: async () => {
      child.disconnect()
      await exited
    },
  }
}

/** Answers calls until the parent disconnects. An error ends this process. */
export function answer(calls: object): void {
  process.on('message', async ([name, argument]: [string, unknown]) => {
    const value = await (calls as Record<string, (argument: unknown) => unknown>)[name]!(argument)
    process.send!(value ?? null)
  })
  process.on('disconnect', () => process.exit(0))
  process.send!('ready')
}
