/** The two surfaces that the console calls, according to the command line. */
import { request } from 'node:http'
import { type CommandIo, CommandRefusal } from '../../../core/declare/command.ts'
import type { RuntimeClient } from '../../transport/client/api.ts'
import type {} from '../../transport/unix/api.ts'
import type { Refusal } from '../session.ts'
import { type Credential, fromFile, isCredential, minted } from './credential.ts'
import type { Upstream } from './proxy.ts'

/** The runtime surface of the console. */
export interface Runtime extends Upstream {
  readonly origin: string
  readonly credential: Credential
}

/** The surfaces of one console. */
export interface Surfaces {
  /** The runtime surface, or why the console cannot call it. */
  readonly runtime: Runtime | Refusal
  /** The local surface; undefined with `--url`, and in a profile without one. */
  readonly local: (Upstream & { readonly socket: string }) | undefined
}

/** Creates the surfaces without calling them. Throws a `UsageError` if `--url` is not a valid origin. */
export function openSurfaces(options: ConsoleOptions, io: CommandIo): Surfaces {
  return { runtime: openRuntime(options, io), local: options.url === undefined ? openLocal(io) : undefined }
}

function openRuntime({ url, tokenFile, ...bearer }: ConsoleOptions, io: CommandIo): Runtime | Refusal {
  const clients = io.use('RuntimeClients')
  const client = url === undefined ? clients.own() : clients.at(url, '--url')
  const claims = (io.setting('security.tenant_claims') as readonly string[] | undefined) ?? ['tenant_id']
  const credential = tokenFile === undefined ? minted(io, clients, bearer) : fromFile(tokenFile, clients, claims)
  if (!isCredential(credential)) return credential
  try {
    return toRuntime(client, client.origin(), credential)
  } catch (error) {
    if (!(error instanceof CommandRefusal)) throw error
    return {
      code: error.code,
      message: error.message,
      hint: 'Give its address: svc console --url <origin> --token-file <file>, or set server.port (SVC_SERVER__PORT).',
    }
  }
}

function toRuntime({ open }: RuntimeClient, origin: string, credential: Credential): Runtime {
  return {
    open,
    origin,
    credential,
    noAnswer(error) {
      const { code, message } = error as NodeJS.ErrnoException
      return `No service answers at ${origin} (${code ?? message}).`
    },
  }
}

function openLocal(io: CommandIo): Surfaces['local'] {
  const socket = io.find('LocalSocket')?.()
  const noAnswer = io.find('LocalFailure')
  if (socket === undefined || noAnswer === undefined) return undefined
  return {
    socket,
    credential: undefined,
    noAnswer,
    open: async ({ method, path, headers, signal }) =>
      request({ socketPath: socket, method, path, headers: { ...headers, host: 'localhost' }, signal, agent: false }),
  }
}

/** The options of the command line. */
export interface ConsoleOptions {
  readonly isOpened: boolean
  readonly isWritable: boolean
  readonly keyFile: string | undefined
  readonly port: number
  readonly sub: string
  readonly tenant: string | undefined
  readonly scope: string | undefined
  readonly url: string | undefined
  readonly tokenFile: string | undefined
}
