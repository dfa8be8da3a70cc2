/** Requests to peers over TLS. No byte of a request is sent before the other side has proven the key of its entry. */
import { Agent, type ClientRequestArgs, type IncomingMessage, request } from 'node:http'
import type { Duplex } from 'node:stream'
import { connect, type TLSSocket } from 'node:tls'
import { dropOldest } from '../../../core/kernel/values.ts'
import type { EndpointKey } from '../../sync/api.ts'
import type { Exchange, LinkCode, LinkError, PeerAnswer, PeerEntry, PeerLink } from '../api.ts'
import { type HandshakeOptions, provenBy, toHandshake } from './handshake.ts'

/** What the link needs. */
export interface LinkParts {
  readonly key: () => EndpointKey
  readonly timeoutMs: number
  readonly idleTimeoutMs: number
  readonly maxConnections: number
}

/** Exchanges over TLS, until the link is closed. */
export interface TlsLink extends Pick<PeerLink, 'exchange'> {
  close(): void
}

/** Largest body of a response. */
const MAX_ANSWER_BYTES = 1_048_576
/** A peer that closes a connection so soon after the handshake, without a response, has no entry of this node. */
const CLOSED_AT_ONCE_MS = 1_000
/** Addresses of peers whose connections are kept. Beyond that, the connections of the oldest address are closed. */
const MAX_AGENTS = 1_024

/** Creates the link. */
export function createLink(parts: LinkParts): TlsLink {
  const agents = new Map<string, PeerAgent>()
  let handshake: HandshakeOptions | undefined
  const agentOf = ({ endpointId }: PeerEntry, address: string): PeerAgent => {
    const name = `${endpointId} ${address}`
    let agent = agents.get(name)
    if (agent === undefined) {
      if (agents.size >= MAX_AGENTS) {
        const { value: oldest, done } = agents.values().next()
        if (done !== true) oldest.destroy()
        dropOldest(agents)
      }
      handshake ??= toHandshake(parts.key())
      agents.set(name, (agent = new PeerAgent(endpointId, address, handshake, parts)))
    }
    return agent
  }
  return {
    async exchange(entry, exchange) {
      let last: unknown
      for (const address of entry.addresses) {
        try {
          return await send(agentOf(entry, address), exchange, parts.timeoutMs)
        } catch (error) {
          last = error
          // Another address is tried only if no byte of the request can have arrived.
          if ((error as LinkError).isUnsent !== true) break
        }
      }
      throw last
    },
    close() {
      for (const agent of agents.values()) agent.destroy()
      agents.clear()
    },
  }
}

/** The connections to one address of one peer. */
class PeerAgent extends Agent {
  readonly #endpointId: string
  readonly #address: string
  readonly #handshake: HandshakeOptions
  readonly #timeoutMs: number
  readonly host: string
  readonly port: number

  constructor(endpointId: string, address: string, handshake: HandshakeOptions, parts: LinkParts) {
    super({ keepAlive: true, maxSockets: parts.maxConnections, timeout: parts.idleTimeoutMs, scheduling: 'lifo' })
    this.#endpointId = endpointId
    this.#address = address
    this.#handshake = handshake
    this.#timeoutMs = parts.timeoutMs
    const colon = address.lastIndexOf(':')
    this.host = address.slice(0, colon).replace(/^\[|\]$/g, '')
    this.port = Number(address.slice(colon + 1))
  }

  override createConnection(
    _options: ClientRequestArgs,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const done = callback as (error: Error | null, stream?: Duplex) => void
    const socket = connect({ ...this.#handshake, host: this.host, port: this.port, servername: '' })
    // The last bytes of a request are sent without waiting for the acknowledgement of earlier bytes.
    socket.setNoDelay(true)
    let over = false
    const end = (error: LinkError | null): void => {
      if (over) return
      over = true
      clearTimeout(timer)
      if (error === null) {
        provenAt.set(socket, performance.now())
        done(null, socket)
      } else {
        socket.destroy()
        done(Object.assign(error, { isUnsent: true }))
      }
    }
    const timer = setTimeout(
      () => end(failure('timeout', `nobody at ${this.#address} finished the handshake in time.`)),
      this.#timeoutMs,
    )
    socket.once('secureConnect', () => {
      const provenId = provenBy(socket)
      if (provenId === this.#endpointId) return end(null)
      if (provenId === undefined)
        return end(failure('version', `what answers at ${this.#address} is no peer of this version.`))
      end(failure('wrong_key', `At ${this.#address} answers ${provenId.slice(0, 12)}…, another node.`))
    })
    socket.once('error', (error: NodeJS.ErrnoException) => end(toFailure(error, this.#address)))
    socket.once('close', () =>
      end(failure('unreachable', `the connection to ${this.#address} was closed in the handshake.`)),
    )
    // The request handles later errors. Without a listener here they would end the process.
    socket.on('error', () => undefined)
  }
}

/** When the handshake of a connection has ended. */
const provenAt = new WeakMap<object, number>()
/** Connections on which a response has come. */
const answered = new WeakSet<object>()

function send(agent: PeerAgent, { method, path, headers, body }: Exchange, timeoutMs: number): Promise<PeerAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const host = agent.host.includes(':') ? `[${agent.host}]` : agent.host
    const outgoing = request({
      agent,
      method,
      path,
      headers: { host: `${host}:${agent.port}`, ...headers, ...length },
      maxHeaderSize: 16_384,
    })
    let late = false
    const timer = setTimeout(() => {
      late = true
      outgoing.destroy()
    }, timeoutMs)
    const why = (error: unknown): LinkError => {
      if (late) return failure('timeout', 'it did not answer in time.')
      if (isFailure(error)) return error
      const socket = outgoing.socket as TLSSocket | null
      if (socket !== null && isClosedAtOnce(socket))
        return failure('not_listed', 'it closed the connection right after the handshake.')
      return failure('unreachable', `the connection broke off (${(error as NodeJS.ErrnoException).code ?? 'closed'}).`)
    }
    const rejectWith = (error: unknown): void => {
      clearTimeout(timer)
      reject(why(error))
    }
    outgoing.once('error', rejectWith)
    outgoing.once('response', (answer: IncomingMessage) => {
      const { statusCode: status } = answer
      if (status === undefined) return void outgoing.destroy(failure('bad_answer', 'the answer has no status.'))
      answered.add(answer.socket)
      readAnswer(answer).then(
        (bytes) => {
          clearTimeout(timer)
          const fields = Object.entries(answer.headers).map(([name, value]) => [
            name,
            Array.isArray(value) ? value[0] : value,
          ])
          resolve({
            status,
            headers: Object.fromEntries(fields) as PeerAnswer['headers'],
            body: bytes,
          })
        },
        (error: unknown) => {
          outgoing.destroy()
          rejectWith(error)
        },
      )
    })
    outgoing.end(body)
  })
}

function isClosedAtOnce(socket: TLSSocket): boolean {
  const provenMs = provenAt.get(socket)
  return provenMs !== undefined && !answered.has(socket) && performance.now() - provenMs < CLOSED_AT_ONCE_MS
}

function readAnswer(answer: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (answer.headers['content-encoding'] !== undefined)
      return reject(failure('bad_answer', 'the answer has a content coding.'))
    const chunks: Buffer[] = []
    let size = 0
    answer.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= MAX_ANSWER_BYTES) chunks.push(chunk)
      else reject(failure('bad_answer', 'the answer is larger than 1 MiB.'))
    })
    answer.once('end', () => resolve(Buffer.concat(chunks)))
    answer.once('error', reject)
    // The connection may close in the middle of the body without an error.
    answer.once('close', () => {
      if (!answer.complete) reject(failure('unreachable', 'the connection broke off in the answer.'))
    })
  })
}

function toFailure({ code = '', message }: NodeJS.ErrnoException, address: string): LinkError {
  // RFC 7301 section 3.2 and RFC 8446 section 6.2: the other side has another protocol or another version of TLS.
  if (/NO_APPLICATION_PROTOCOL|PROTOCOL_VERSION|WRONG_VERSION|UNSUPPORTED_PROTOCOL/i.test(`${code} ${message}`))
    return failure('version', `what answers at ${address} speaks no ${'svc-peer/1'} over TLS 1.3.`)
  return failure('unreachable', `nobody answers at ${address} (${code || 'no connection'}).`)
}

function failure(code: LinkCode, message: string): LinkError {
  return Object.assign(new Error(message), { code })
}

function isFailure(error: unknown): error is LinkError {
  return error instanceof Error && 'code' in error && /^[a-z_]+$/.test(String(error.code))
}
