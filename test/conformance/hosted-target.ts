/** Starts a library in a host process and adapts it to a target. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Answer, Target } from '../../core/contract.ts'
import type { FromHost, ToHost } from './library-host.ts'

/** A hosted library. */
export interface Hosted {
  readonly target: Target
  /** Closes the runtime. The process then has to end by itself, because a closed library leaves no handle open. */
  stop(): Promise<void>
}

/** The longest time from the close of the library to the end of the host, in milliseconds. */
const LINGER_LIMIT_MS = 5_000

/** A library to host. */
export interface LibraryToHost {
  /** The URL of the module. */
  readonly file: string
  readonly defines: Readonly<Record<string, boolean | string>>
  readonly settings: unknown
}

/** Starts a host process with a library. */
export async function hostLibrary(library: LibraryToHost): Promise<Hosted> {
  const host = fork(fileURLToPath(new URL('./library-host.ts', import.meta.url)), { silent: true })
  const logs = collect(host)
  const ended = new Promise<number | null>((resolve) => host.once('exit', resolve))
  const ask = asker(host)
  try {
    await ask({ kind: 'start', ...library })
  } catch (error) {
    host.kill('SIGKILL')
    throw error
  }
  const target: Target = {
    request: async (send) => {
      const answer = (await ask({ kind: 'request', send })) as Omit<Answer, 'json'>
      return { ...answer, json: () => JSON.parse(answer.text) as unknown }
    },
    open: async (send) => {
      const { id, value } = await ask.numbered({ kind: 'open', send })
      return {
        ...(value as { status: number; headers: Record<string, string> }),
        next: async () => (await ask({ kind: 'next', stream: id })) as string | undefined,
        close: () => void ask({ kind: 'close', stream: id }).catch(() => undefined),
      }
    },
    logs,
  }
  return {
    target,
    stop: async () => {
      await ask({ kind: 'stop' })
      const timer = setTimeout(() => host.kill('SIGKILL'), LINGER_LIMIT_MS)
      const code = await ended
      clearTimeout(timer)
      if (code !== 0) throw new Error(`the host of the library ended with ${code} after close()\n${logs()}`)
    },
  }
}

type WithoutId<T> = T extends ToHost ? Omit<T, 'id'> : never

interface Ask {
  (message: WithoutId<ToHost>): Promise<unknown>
  numbered(message: WithoutId<ToHost>): Promise<{ id: number; value: unknown }>
}

function asker(host: ChildProcess): Ask {
  const waiting = new Map<number, (answer: FromHost) => void>()
  let last = 0
  host.on('message', (answer: FromHost) => {
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  host.once('exit', (code) => {
    for (const [id, answer] of waiting) answer({ id, error: `the host ended with ${code}` })
    waiting.clear()
  })
  const numbered: Ask['numbered'] = (message) =>
    new Promise((resolve, reject) => {
      const id = ++last
      waiting.set(id, ({ value, error }) => (error === undefined ? resolve({ id, value }) : reject(new Error(error))))
      host.send({ ...message, id })
    })
  return Object.assign(async (message: WithoutId<ToHost>) => (await numbered(message)).value, { numbered })
}

function collect(host: ChildProcess): () => string {
  let text = ''
  for (const stream of [host.stdout!, host.stderr!]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  }
  return () => text
}
