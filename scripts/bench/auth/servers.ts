/** Starts the servers of the comparison, each in a process of its own, and reads what they cost. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What a server is told to be. */
export interface ServerSetup {
  readonly kind: 'raw-uws' | 'fastify' | 'hono' | 'svc'
  readonly secret?: string
  /** RSA public key of a server that takes RS256. */
  readonly pem?: string
  readonly jwksUrl?: string
  /** Whether Fastify's plugin caches verified tokens. */
  readonly cache?: boolean
  /** What raw uWebSockets.js looks up. */
  readonly tokens?: readonly string[]
  readonly transport?: 'node-http' | 'uws'
  /** Where the keys are that nodes of a cluster share; in memory where absent. */
  readonly postgresUrl?: string
}

/** A running server. */
export interface Server {
  readonly port: number
  /** CPU time that its process has used so far, all threads, in seconds. */
  cpuSeconds(): Promise<number>
  stop(): Promise<void>
}

/** Starts a server; rejects where it cannot run here. */
export async function startServer(setup: ServerSetup): Promise<Server> {
  const child = fork(fileURLToPath(new URL('./server.ts', import.meta.url)), {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let said = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const next = <T>(): Promise<T> =>
    new Promise((resolve, reject) => {
      const onExit = (code: number | null): void =>
        reject(new Error(`the server ended with ${code}: ${said.slice(0, 1_000)}`))
      child.once('exit', onExit)
      child.once('message', (message) => {
        child.off('exit', onExit)
        resolve(message as T)
      })
    })
  const ready = next<{ port: number }>()
  child.send(setup)
  const { port } = await ready
  return {
    port,
    cpuSeconds: async () => {
      const answer = next<{ cpu: NodeJS.CpuUsage }>()
      child.send('cpu')
      const { user, system } = (await answer).cpu
      return (user + system) / 1e6
    },
    stop: async () => {
      child.disconnect()
      await exited
    },
  }
}
