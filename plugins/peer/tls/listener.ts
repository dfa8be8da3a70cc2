/**
 * The listener for peers. It closes the connection of a caller that is not admitted before any byte of a request is
 * read.
 */
import { constants } from 'node:crypto'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import type { Logger } from '../../../core/kernel/log.ts'
import type { EndpointKey } from '../../sync/api.ts'
import type { HttpServer } from '../../transport/node-http/api.ts'
import type { PeerConnection } from '../api.ts'
import type { Peers } from '../capabilities.ts'
import { provenBy, toHandshake } from './handshake.ts'

/** The source of connections of peers for the HTTP server. */
export type Incoming = Extract<
  Parameters<HttpServer['serve']>[1]['address'],
  { readonly incoming: unknown }
>['incoming']

/** What the listener needs. */
export interface ListenerParts {
  readonly host: string
  readonly port: number
  readonly key: EndpointKey
  readonly peers: Peers
  readonly log: Logger
  readonly maxHandshakes: number
  readonly handshakeTimeoutMs: number
}

/** Creates the listener. The HTTP server opens it. */
export function createListener(parts: ListenerParts): Incoming {
  const { peers, log, maxHandshakes } = parts
  const shaking = new Set<Socket>()
  let serve: (socket: TLSSocket, peer: PeerConnection) => void = () => undefined
  const server: Server = createServer({
    ...toHandshake(parts.key),
    requestCert: true,
    // The last bytes of a response are sent without waiting for the acknowledgement of earlier bytes.
    noDelay: true,
    // No session is stored, so that none can be resumed.
    secureOptions: constants.SSL_OP_NO_TICKET,
    handshakeTimeout: parts.handshakeTimeoutMs,
  })
  server.on('connection', (socket: Socket) => {
    if (shaking.size >= maxHandshakes) return void socket.destroy()
    shaking.add(socket)
    socket.once('close', () => shaking.delete(socket))
    // The options of TLS end a handshake that is too slow. This timer ends a connection that never begins one.
    const timer = setTimeout(() => shaking.delete(socket) && socket.destroy(), parts.handshakeTimeoutMs)
    timer.unref()
    socket.once('close', () => clearTimeout(timer))
  })
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  server.on('secureConnection', (socket: TLSSocket) => {
    const raw = rawOf(socket)
    const end = (): void => void socket.destroy()
    socket.on('error', end)
    const endpointId = provenBy(socket)
    if (endpointId === undefined) return end()
    const connection: PeerConnection = {
      transport: 'peer',
      address: socket.remoteAddress ?? '',
      endpointId,
      get bytesRead() {
        return socket.bytesRead
      },
      destroy: end,
    }
    peers.admit(connection).then(
      (admitted) => {
        if (raw !== undefined) shaking.delete(raw)
        if (!admitted) {
          log.info('A connection of somebody who is not entered, or has too many, was closed.', { peer: endpointId })
          return end()
        }
        if (socket.destroyed) return peers.left(connection)
        socket.once('close', () => peers.left(connection))
        serve(socket, connection)
      },
      (error: unknown) => {
        log.warn('A peer could not be looked up.', { error })
        end()
      },
    )
  })
  return {
    async open(take) {
      serve = take
      await new Promise<void>((resolve, reject) => {
        server.once('error', (error) =>
          reject(
            new Error(`cannot listen for peers on ${parts.host}:${parts.port} (${error.message}): set peer.listen`),
          ),
        )
        server.listen({ host: parts.host, port: parts.port }, resolve)
      })
      server.removeAllListeners('error')
      server.on('error', (error) => log.error('The listener for peers failed.', { error }))
      const { address, port } = server.address() as AddressInfo
      return { text: `${address.includes(':') ? `[${address}]` : address}:${port}`, port }
    },
    async close() {
      server.close()
      for (const socket of shaking) socket.destroy()
    },
  }
}

/** The TCP connection of a TLS socket of a server. Node has no public way to get it. */
function rawOf(socket: TLSSocket): Socket | undefined {
  return (socket as unknown as { _parent?: Socket })._parent
}
