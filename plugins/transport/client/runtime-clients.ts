/**
 * Requests of commands to a runtime surface: where it is, how the connection is secured, and which credential is sent.
 */
import { request } from 'node:http'
import { Agent, request as secureRequest } from 'node:https'
import { type CommandIo, CommandRefusal, UsageError } from '../../../core/declare/command.ts'
import { readOwnFile } from '../own-file.ts'
import type {} from '../tls/client/api.ts'
import type { RuntimeClient, RuntimeClients, RuntimeRequest } from './api.ts'

/** Hosts to which a credential may go without TLS: it does not leave the machine. */
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])$/

/** Modes of a file that its user alone may read. */
const OWN_MODES = [0o600, 0o400]

/** The clients of a command. */
export function createRuntimeClients(io: CommandIo): RuntimeClients {
  return {
    own: () => ownClient(io),
    at: clientAt,
    readToken: (file) => {
      const refuse = (why: string): CommandRefusal =>
        new CommandRefusal('token_missing', `${file} ${why}: it must be a regular file of this user with mode 0600.`)
      const token = readOwnFile(file, OWN_MODES, refuse)
      if (token === '') throw refuse('is empty')
      return token
    },
    credential: (token) => (token.startsWith('svc_') ? { 'x-api-key': token } : { authorization: `Bearer ${token}` }),
  }
}

function ownClient(io: CommandIo): RuntimeClient {
  const { connect } = io.find('OwnTls') ?? {}
  const place = (): Place => ownPlace(io, connect !== undefined)
  return {
    origin: () => toOrigin(place(), connect === undefined ? 'http' : 'https'),
    async open(wanted) {
      const at = place()
      const options = optionsOf(wanted, toOrigin(at, 'http'))
      if (connect === undefined) return request({ ...options, ...at, agent: false })
      const socket = await connect(at, wanted.signal)
      return request({ ...options, createConnection: () => socket })
    },
  }
}

function clientAt(text: string, option: string): RuntimeClient {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (
    url?.href !== `${url?.origin}/` ||
    !(url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname)))
  )
    throw new UsageError(`${option} takes an origin: https://host, or http:// and a loopback host`)
  // An agent of its own remembers the TLS session, so that later connections have a shorter handshake.
  const agent = url.protocol === 'https:' ? new Agent() : undefined
  const at = { host: url.hostname.replace(/^\[|\]$/g, ''), port: portOf(url) }
  return {
    origin: () => url.origin,
    open: async (wanted) => {
      const options = { ...optionsOf(wanted, url.origin), ...at }
      return agent === undefined ? request({ ...options, agent: false }) : secureRequest({ ...options, agent })
    },
  }
}

interface Place {
  readonly host: string
  readonly port: number
}

/** The address of the service on this machine. */
function ownPlace(io: CommandIo, isSecure: boolean): Place {
  const [host, port] = [io.setting('server.host') as string, io.setting('server.port') as number]
  if (port === 0)
    throw new CommandRefusal('runtime_away', 'server.port is 0, so the address of the service is not known.')
  // A service that listens everywhere is reached on this machine.
  const place = { host: host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host, port }
  if (!isSecure && !LOOPBACK.test(new URL(toOrigin(place, 'http')).hostname))
    throw new CommandRefusal('runtime_away', `server.host is ${host}, which is no loopback address.`)
  return place
}

function toOrigin({ host, port }: Place, scheme: 'http' | 'https'): string {
  return new URL(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`).origin
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

/** What every request has. */
function optionsOf({ method, path, headers, signal }: RuntimeRequest, origin: string) {
  return { method, path, signal, headers: { ...headers, host: new URL(origin).host } }
}
