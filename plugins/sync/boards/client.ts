/** The local surface as the commands of boards use it. */
import { randomUUID, sign } from 'node:crypto'
import type { CommandIo } from '../../../core/command.ts'
import type { Command, CommandEnvelope, Project, Standing } from '../../kbd/api.ts'
import { readPrivateKey } from '../api/commands/key-files.ts'
import { readText, send } from '../api/commands/local-client.ts'
import { configuredSocket } from '../api/commands/socket.ts'
import { fromKeyId } from '../engine/key-ids.ts'
import { type DeviceKey, signCommand } from '../sign/index.ts'

/** A refusal of the service. */
export class Refusal extends Error {
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, error: Readonly<Record<string, unknown>>) {
    super(`${status} ${String(error['code'])}: ${String(error['message'])}`)
    this.code = String(error['code'])
    this.details = error
  }
}

/** What a command came to. */
export interface Entered extends Standing {
  readonly commandId: string
  readonly id: string
  readonly conflicts: readonly string[]
}

/** Requests to the service. Each rejects with a `Refusal`, or where nobody answers. */
export interface BoardClient {
  get<T>(path: string): Promise<T>
  getBytes(path: string): Promise<Buffer | undefined>
  send<T>(method: 'POST' | 'PUT', path: string, type: string, body: string): Promise<T>
  /** The project that is named, or the only one. */
  project(name: string | undefined): Promise<Project>
  /**
   * Signs the command that `make` gives for a project as it stands, and sends it. Where the project moved on meanwhile, it
   * is read and the command made again.
   */
  enter(key: DeviceKey, name: string | undefined, make: (project: Project) => Command): Promise<Entered>
}

/** How often a command is made again because the project moved on. */
const ATTEMPTS = 5

/** Makes a client of the configured socket. */
export function createClient(io: CommandIo, socketPath: string | undefined): BoardClient {
  const socket = socketPath ?? configuredSocket(io)
  const ask = async (
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string,
  ): Promise<unknown> => {
    const answer = await reach(socket, () => send(socket, method, path, headers, body))
    const text = await readText(answer)
    const value = JSON.parse(text) as { error?: Readonly<Record<string, unknown>> }
    if (value.error !== undefined) throw new Refusal(answer.statusCode!, value.error)
    return value
  }
  const client: BoardClient = {
    get: async <T>(path: string) => (await ask('GET', path)) as T,
    async getBytes(path) {
      const answer = await reach(socket, () => send(socket, 'GET', path))
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk as Buffer)
      return answer.statusCode === 200 ? Buffer.concat(chunks) : undefined
    },
    send: async <T>(method: 'POST' | 'PUT', path: string, type: string, body: string) =>
      (await ask(method, path, { 'content-type': type }, body)) as T,
    async project(name) {
      return client.get<Project>(`/api/v1/kbd/projects/${encodeURIComponent(name ?? (await onlyProject(client)))}`)
    },
    async enter(key, name, make) {
      const commandId = randomUUID()
      for (let tried = 1; ; tried++) {
        const project = await client.project(name)
        const envelope: CommandEnvelope = await signCommand(key, {
          project: project.project,
          command: make(project),
          parents: project.frontier.heads,
          commandId,
        })
        const path = `/api/v1/kbd/projects/${project.project}/commands`
        try {
          return await client.send<Entered>('POST', path, 'application/json', JSON.stringify(envelope))
        } catch (error) {
          const moved = error instanceof Refusal && error.code === 'frontier_mismatch'
          if (!moved || tried === ATTEMPTS) throw error
        }
      }
    },
  }
  return client
}

/** The key of a device in a file, for `svc/sign`. */
export function openDeviceKey(file: string): DeviceKey {
  const { key, keyId } = readPrivateKey(file)
  return { keyId, publicKey: fromKeyId(keyId)!, sign: (message) => sign(null, message, key) }
}

async function onlyProject(client: BoardClient): Promise<string> {
  const { projects } = await client.get<{ projects: readonly { project: string }[] }>('/api/v1/kbd/projects')
  const [one, ...more] = projects
  if (one === undefined) throw new Error('There is no project yet: svc device enroll --scope kbd-control:<project>')
  if (more.length > 0) throw new Error(`Which project? --project ${projects.map(({ project }) => project).join(' | ')}`)
  return one.project
}

async function reach<T>(socket: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new Error(`No service answers at ${socket} (${(error as NodeJS.ErrnoException).code ?? String(error)}).`)
  }
}
