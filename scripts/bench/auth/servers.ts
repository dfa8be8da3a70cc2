/** Starts the servers of the comparison, each in a separate process, and reads their CPU time. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The kind and the configuration of a server. */
export interface ServerSetup {
  readonly kind: 'raw-uws' | 'fastify' | 'hono' | 'svc'
  readonly secret?: string
  /** RSA public key in PEM, for a server that verifies RS256. */
  readonly pem?: string
  readonly jwksUrl?: string
  /** Whether Fastify's plugin caches verified tokens. */
  readonly cache?: boolean
  /** The tokens that raw uWebSockets.js looks up. */
  readonly tokens?: readonly string[]
  readonly transport?: 'node-http' | 'uws'
}

/** A running server. */
export interface Server {
  readonly port: number
  /** CPU time that the server's process has used, all threads, in seconds. */
  cpuSeconds(): Promise<number>
  stop(): Promise<void>
}

/** Starts a server. Rejects if the server cannot run on this machine. */
export async function startServer(setup: ServerSetup): Promise<Server> {
  const child = fork(fileURLToPath(new URL('./server.ts', import.meta.url)), {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let stderr = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const next = <T>(): Promise<T> =>
    new Promise((resolve, reject) => {
      const onExit = (code: number | null): void =>
        reject(new Error(`the server ended with ${code}: ${stderr.slice(0, 1_000)}`))
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
