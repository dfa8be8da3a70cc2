/** Accepts TLS connections and passes them to the node:http server. */
import type { AddressInfo, Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import type { Logger } from '../../../core/kernel/log.ts'
import { plainAddress } from '../address.ts'
import { listenFailed } from '../errors.ts'
import type { Incoming } from '../node-http/api.ts'
import { HALF_HEAD_MS, stopListening } from '../stop-listening.ts'
import type { KeyPair, KeyPairFiles } from './key-pair.ts'
import { renewKeyPair } from './renewal.ts'

/** What the listener needs. */
export interface TlsListenerOptions {
  readonly host: string
  readonly port: number
  readonly files: KeyPairFiles
  readonly pair: KeyPair
  readonly handshakeTimeoutMs: number
  readonly monotonic: () => number
  readonly log: Logger
  /** Called with the pair that new connections use from now on. */
  onRenewed(pair: KeyPair): void
}

/** Creates the listener; it is open once the server of node:http opens it. */
export function createTlsListener({
  host,
  port,
  files,
  pair,
  handshakeTimeoutMs,
  monotonic,
  log,
  onRenewed,
}: TlsListenerOptions): Incoming {
  /** Connections whose handshake is not over, by the address of their client. */
  const shaking = new Map<string, Socket>()
  let noneShaking = (): void => undefined
  const shaken = (client: string): void => {
    shaking.delete(client)
    if (shaking.size === 0) noneShaking()
  }
  const server = createServer({
    cert: pair.cert,
    key: pair.key,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
    handshakeTimeout: handshakeTimeoutMs,
    noDelay: true,
  })
  server.on('connection', (socket: Socket) => {
    const client = clientOf(socket)
    shaking.set(client, socket)
    socket.once('close', () => shaken(client))
  })
  // The client has disconnected or does not use TLS.
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  let stopRenewal = (): void => undefined
  return {
    async open(serve) {
      server.on('secureConnection', (socket: TLSSocket) => {
        serve(socket, { transport: 'tcp', address: plainAddress(socket.remoteAddress ?? '') })
        shaken(clientOf(socket))
      })
      await new Promise<void>((resolve, reject) => {
        server.once('error', (cause) => reject(listenFailed({ host, port }, cause)))
        server.listen({ host, port }, resolve)
      })
      server.removeAllListeners('error')
      server.on('error', (error) => log.error('The TLS listener failed.', { error }))
      stopRenewal = renewKeyPair({
        files,
        current: pair,
        log,
        apply: (renewed) => {
          server.setSecureContext({ cert: renewed.cert, key: renewed.key, minVersion: 'TLSv1.2' })
          onRenewed(renewed)
        },
      })
      const bound = server.address() as AddressInfo
      return {
        text: `${bound.address.includes(':') ? `[${bound.address}]` : bound.address}:${bound.port}`,
        port: bound.port,
      }
    },
    async close() {
      stopRenewal()
      await stopListening(server, monotonic)
      if (shaking.size > 0) {
        await new Promise<void>((done) => {
          noneShaking = done
          setTimeout(done, HALF_HEAD_MS)
        })
      }
      for (const socket of shaking.values()) socket.destroy()
    },
  }
}

/** Address and port of the client: the same for a connection and for the TLS socket above it. */
function clientOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
