/** Starts libraries in host processes and adapts them to targets. */
import { type ChildProcess, fork } from 'node:child_process'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Answer, Target } from '../../core/testing/contract.ts'
import type { FromHost, ToHost } from './library-host.ts'

/** A hosted runtime of a library. */
export interface Hosted {
  readonly target: Target
  /** Closes the runtime. */
  stop(): Promise<void>
}

/** The longest time from the close of the last runtime to the end of its host, in milliseconds. */
const LINGER_LIMIT_MS = 5_000

/** A library to host. */
export interface LibraryToHost {
  /** The URL of the module. */
  readonly file: string
  readonly defines: Readonly<Record<string, boolean | string>>
}

/**
 * Hosts of one library. A process serves one runtime at a time and then the next one, as an application does that opens
 * and closes several: a runtime that leaves something behind disturbs the next.
 */
export interface Hosts {
  /** Starts a runtime with these settings. */
  start(settings: unknown): Promise<Hosted>
  /**
   * Disconnects the processes. Each must then exit by itself within 5 s, because closed runtimes leave no handle open.
   */
  end(): Promise<void>
}

/** Creates the hosts of a library. */
export function createHosts(library: LibraryToHost): Hosts {
  const idle: Host[] = []
  return {
    start: async (settings) => {
      const host = idle.pop() ?? startHost()
      const logs = await host.start({ ...library, settings })
      return {
        target: targetOf(host.ask, logs),
        stop: async () => {
          await host.stop()
          idle.push(host)
        },
      }
    },
    end: async () => void (await Promise.all(idle.splice(0).map((host) => host.end()))),
  }
}

interface Host {
  readonly ask: Ask
  /** Starts a runtime and returns a function for the log since then. */
  start(library: LibraryToHost & { readonly settings: unknown }): Promise<() => string>
  stop(): Promise<void>
  end(): Promise<void>
}

function startHost(): Host {
  const child = fork(fileURLToPath(new URL('./library-host.ts', import.meta.url)), { silent: true })
  const outputs = [child.stdout!, child.stderr!].map(collect)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const ask = asker(child)
  const orKill = async (message: WithoutId<ToHost>): Promise<void> => {
    try {
      await ask(message)
    } catch (error) {
      child.kill('SIGKILL')
      throw error
    }
  }
  let starts = 0
  return {
    ask,
    start: async (library) => {
      // What an earlier runtime has written may arrive late. The host writes the mark into both outputs before it
      // starts.
      const mark = `mark ${++starts}\n`
      await orKill({ kind: 'start', mark, ...library })
      return () => outputs.map((output) => after(mark, output())).join('')
    },
    stop: () => orKill({ kind: 'stop' }),
    end: async () => {
      child.disconnect()
      const timer = setTimeout(() => child.kill('SIGKILL'), LINGER_LIMIT_MS)
      const code = await ended
      clearTimeout(timer)
      const written = outputs.map((output) => output()).join('')
      if (code !== 0) throw new Error(`the host of the library ended with ${code} after close()\n${written}`)
    },
  }
}

function after(mark: string, text: string): string {
  const at = text.lastIndexOf(mark)
  return at < 0 ? '' : text.slice(at + mark.length)
}

function targetOf(ask: Ask, logs: () => string): Target {
  return {
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
      // A host that has ended takes no message.
      host.send({ ...message, id }, (error) => error !== null && reject(error))
    })
  return Object.assign(async (message: WithoutId<ToHost>) => (await numbered(message)).value, { numbered })
}

function collect(stream: Readable): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  return () => text
}
