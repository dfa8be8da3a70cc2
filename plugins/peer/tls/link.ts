/** Requests to peers over TLS: not a byte of them leaves before the other side's key is the one that was entered. */
import { Agent, type ClientRequestArgs, type IncomingMessage, request } from 'node:http'
import type { Duplex } from 'node:stream'
import { connect, type TLSSocket } from 'node:tls'
import type { EndpointKey } from '../../sync/api.ts'
import type { Exchange, LinkCode, LinkError, PeerAnswer, PeerEntry, PeerLink } from '../api.ts'
import { type HandshakeOptions, provenBy, toHandshake } from './handshake.ts'

/** What the link is made of. */
export interface LinkParts {
  readonly key: () => EndpointKey
  readonly timeoutMs: number
  readonly idleTimeoutMs: number
  readonly maxConnections: number
}

/** Exchanges over TLS, until it is closed. */
export interface TlsLink extends Pick<PeerLink, 'exchange'> {
  close(): void
}

/** Largest answer. */
const MAX_ANSWER_BYTES = 1_048_576
/** Who is closed so soon after the handshake, without an answer, is not entered there. */
const CLOSED_AT_ONCE_MS = 1_000
/** Peers whose connections are kept; the oldest go first. */
const MAX_AGENTS = 1_024

/** Makes the link. */
export function createLink(parts: LinkParts): TlsLink {
  const agents = new Map<string, PeerAgent>()
  let handshake: HandshakeOptions | undefined
  const agentOf = ({ endpointId }: PeerEntry, address: string): PeerAgent => {
    const name = `${endpointId} ${address}`
    let agent = agents.get(name)
    if (agent === undefined) {
      if (agents.size >= MAX_AGENTS) {
        const [[oldest, unused]] = agents as unknown as [[string, PeerAgent]]
        agents.delete(oldest)
        unused.destroy()
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
          // Another address is tried only where nothing of the request can have arrived.
          if (!unsent.has(error as object)) break
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

/** Failures before a request had a connection. */
const unsent = new WeakSet<object>()

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
    // The last bytes of a request do not wait until those before them are acknowledged.
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
        unsent.add(error)
        done(error)
      }
    }
    const timer = setTimeout(
      () => end(failure('timeout', `nobody at ${this.#address} finished the handshake in time.`)),
      this.#timeoutMs,
    )
    socket.once('secureConnect', () => {
      const found = provenBy(socket)
      if (found === this.#endpointId) return end(null)
      if (found === undefined)
        return end(failure('version', `what answers at ${this.#address} is no peer of this version.`))
      end(failure('wrong_key', `At ${this.#address} answers ${found.slice(0, 12)}…, another node.`))
    })
    socket.once('error', (error: NodeJS.ErrnoException) => end(toFailure(error, this.#address)))
    socket.once('close', () =>
      end(failure('unreachable', `the connection to ${this.#address} was closed in the handshake.`)),
    )
    // Errors that come later are those of the request; without a listener they would end the process.
    socket.on('error', () => undefined)
  }
}

/** When the handshake of a connection was over, and whether it has been answered on since. */
const provenAt = new WeakMap<object, number>()
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
      const provenMs = socket === null ? undefined : provenAt.get(socket)
      const isClosedAtOnce =
        provenMs !== undefined && !answered.has(socket!) && performance.now() - provenMs < CLOSED_AT_ONCE_MS
      if (isClosedAtOnce) return failure('not_listed', 'it closed the connection right after the handshake.')
      return failure('unreachable', `the connection broke off (${(error as NodeJS.ErrnoException).code ?? 'closed'}).`)
    }
    const give = (error: unknown): void => {
      clearTimeout(timer)
      reject(why(error))
    }
    outgoing.once('error', give)
    outgoing.once('response', (answer: IncomingMessage) => {
      answered.add(answer.socket)
      readAnswer(answer).then(
        (bytes) => {
          clearTimeout(timer)
          const fields = Object.entries(answer.headers).map(([name, value]) => [
            name,
            Array.isArray(value) ? value[0] : value,
          ])
          resolve({
            status: answer.statusCode!,
            headers: Object.fromEntries(fields) as PeerAnswer['headers'],
            body: bytes,
          })
        },
        (error: unknown) => {
          outgoing.destroy()
          give(error)
        },
      )
    })
    outgoing.end(body)
  })
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
    // One that breaks off without a word of why.
    answer.once('close', () => {
      if (!answer.complete) reject(failure('unreachable', 'the connection broke off in the answer.'))
    })
  })
}

function toFailure({ code = '', message }: NodeJS.ErrnoException, address: string): LinkError {
  // RFC 7301 section 3.2, RFC 8446 section 6.2: the other side speaks another protocol, or another TLS.
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
