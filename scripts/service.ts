/** Starts the shipped service in a temporary folder, and its console. */
import { createPrivateKey } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createDeviceKey, type DeviceKey } from '../plugins/protocol/sign/index.ts'
import { distDir } from './build/paths.ts'
import { type Child, startChild } from './child.ts'
import { freePort } from './free-port.ts'

/** Sends JSON to a path. */
export type Post = (path: string, body: unknown) => Promise<void>

/** A running service. */
export interface Service {
  readonly folder: string
  readonly pid: number
  readonly socketPath: string
  /** Runs a command and resolves to its output. Rejects with the output if the command fails. */
  svc(...args: readonly string[]): Promise<string>
  /** Calls the local surface and resolves to the answer. Rejects with a refusal. */
  local<T>(method: string, path: string, body?: unknown): Promise<T>
  /**
   * Returns a function that calls the runtime surface as the user `developer` with a scope. A call rejects with a
   * refusal.
   */
  poster(scope: string): Promise<Post>
  /** Starts `svc console` and resolves to the printed address, which works once. */
  console(...args: readonly string[]): Promise<string>
  /** Stops the service and its consoles, and removes the folder. */
  stop(): Promise<void>
}

/**
 * Starts the program of server-full, which must be built, with both surfaces and peers. `more` are additional
 * variables.
 */
export async function startService(more: Readonly<Record<string, string>> = {}): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-'))
  // The socket is in a separate folder that no other user can enter.
  mkdirSync(join(folder, 'run'), { mode: 0o700 })
  const port = await freePort()
  const env = {
    HOME: folder,
    PATH: process.env['PATH'] ?? '',
    SVC_SERVER__PORT: String(port),
    SVC_SECURITY__JWT_SECRET: 'the-secret-of-a-service-that-lives-for-a-minute',
    SVC_SECURITY__KEY_STORE: 'sqlite',
    SVC_REALTIME__RUN_STORE: 'sqlite',
    SVC_STORAGE__DIR: join(folder, 'state'),
    SVC_SYNC__SOCKET_PATH: join(folder, 'run', 's.sock'),
    SVC_PEER__LISTEN: `127.0.0.1:${await freePort()}`,
    ...more,
  }
  const program = join(distDir('server-full'), 'svc.mjs')
  const start = (...args: readonly string[]): Child =>
    startChild(process.execPath, { args: [program, ...args], cwd: folder, env })
  const service = start()
  await service.waitFor(/"socket":"/, 30_000)
  const consoles: Child[] = []
  const origin = `http://127.0.0.1:${port}`
  const svc = async (...args: readonly string[]): Promise<string> => {
    const child = start(...args)
    const { code } = await child.exited
    if (code !== 0) throw new Error(`svc ${args.join(' ')}: ${child.out}${child.err}`)
    return child.out.trim()
  }
  return {
    folder,
    pid: service.pid,
    socketPath: env.SVC_SYNC__SOCKET_PATH,
    svc,
    async poster(scope) {
      const token = await svc('token', '--sub', 'developer', '--scope', scope)
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      return async (path, body) => {
        const answer = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
        const reply = await answer.text()
        if (!answer.ok) throw new Error(`${path}: ${answer.status} ${reply}`)
      }
    },
    local: <T>(method: string, path: string, body?: unknown) => ask<T>(env.SVC_SYNC__SOCKET_PATH, method, path, body),
    async console(...args) {
      const child = start('console', ...args)
      consoles.push(child)
      const [address] = await child.waitFor(/http:\S+\/enter\?code=[\w-]+/, 30_000)
      return address
    },
    async stop() {
      await Promise.all(consoles.map((child) => child.stop('SIGINT')))
      await service.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

async function ask<T>(socketPath: string, method: string, path: string, body: unknown): Promise<T> {
  const outgoing = request({ socketPath, method, path, headers: { 'content-type': 'application/json' } })
  outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
  const reply = await text(answer)
  if (answer.statusCode! >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${reply}`)
  return JSON.parse(reply) as T
}

/** The private key `<name>.key` that `svc device keygen` wrote into the folder of a service. */
export async function readDeviceKey({ folder }: Pick<Service, 'folder'>, name: string): Promise<DeviceKey> {
  const { d } = createPrivateKey(readFileSync(join(folder, `${name}.key`))).export({ format: 'jwk' })
  return createDeviceKey(Uint8Array.from(Buffer.from(d!, 'base64url')))
}
