/** Serves a surface on a listener by node:http. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Peer } from '../../../core/http/request.ts'
import type { Surface } from '../../../core/http/surface.ts'
import type { Logger } from '../../../core/kernel/log.ts'
import { listenFailed } from '../errors.ts'
import type { NoteRefusal } from '../refusals.ts'
import type { Connection, Listener, ListenOptions, OwnAddress } from './api.ts'
import { refuseBroken } from './client-errors.ts'
import { connectionOf } from './connection.ts'
import { watchSockets } from './drain.ts'
import { createHandler, type Handle } from './handle.ts'
import { Message } from './request.ts'

/** The limits of a server, and what it uses of its kernel. */
export interface ServeLimits {
  readonly maxHeaderBytes: number
  readonly headerTimeoutMs: number
  readonly bodyTimeoutMs: number
  readonly idleTimeoutMs: number
  readonly monotonic: () => number
  /** Whether a stop has begun, so that each reply is the last one of its connection. */
  readonly stopping: () => boolean
  readonly log: Logger
  /** Called for each request that is refused before the surface gets it. */
  readonly refused: NoteRefusal
}

/**
 * Opens a listener.
 * @throws SvcError `ERR_LISTEN_FAILED`
 */
export async function serve(surface: Surface, options: ListenOptions, standard: ServeLimits): Promise<Listener> {
  const limits: ServeLimits = { ...standard, ...options.limits }
  const { log, monotonic, refused, stopping } = limits
  const { address, admit } = options
  const isUnix = 'path' in address

  const server = createLimitedServer(limits)
  // `close` of the server calls it. A request may be on its way on an idle connection: the drain gives it a moment.
  server.closeIdleConnections = () => undefined
  if (admit !== undefined) admitSockets(server, admit, log)
  handleRequests(server, createHandler({ surface, isUnix, monotonic, log, refused, stopping }))
  refuseBroken(server, isUnix, refused, surface.crossOrigin)

  const incoming = 'incoming' in address ? address.incoming : undefined
  const { drain, close } = watchSockets(server, limits, incoming)
  const take = (connection: Connection, peer: Peer): void => {
    const socket = connection as Socket
    connectionOf(socket, isUnix, peer)
    server.emit('connection', socket)
  }
  const bound = 'incoming' in address ? await address.incoming.open(take) : await openListener(server, address, options)
  // A server begins to check its time limits when it listens. A server that gets its connections from elsewhere never
  // listens.
  if (incoming !== undefined) server.emit('listening')
  server.removeAllListeners('error')
  server.on('error', (error) => log.error('The listener failed.', { address: bound.text, error }))
  return { address: bound.text, port: bound.port, drain, close }
}

function createLimitedServer(limits: ServeLimits): Server {
  return createServer({
    IncomingMessage: Message,
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headerTimeoutMs,
    requestTimeout: Math.max(limits.bodyTimeoutMs, limits.headerTimeoutMs),
    keepAliveTimeout: limits.idleTimeoutMs,
    // The precision of the two time limits.
    connectionsCheckingInterval: Math.min(1_000, limits.headerTimeoutMs / 4),
    // The head check does this, with the other checks that node:http lacks.
    requireHostHeader: false,
  })
}

/** Calls `admit` with each socket before a byte of it is read, and closes those that it refuses. */
function admitSockets(server: Server, admit: NonNullable<ListenOptions['admit']>, log: Logger): void {
  server.prependListener('connection', (socket: Socket) => {
    let admitted = false
    try {
      admitted = admit(socket)
    } catch (error) {
      log.error('A connection could not be checked.', { error })
    }
    if (!admitted) socket.destroy()
  })
}

function handleRequests(server: Server, handle: Handle): void {
  server.on('request', (message, response) => handle(message, response, false))
  server.on('checkContinue', (message, response) => handle(message, response, true))
  // An unknown expectation: it is unknown whether a body follows.
  server.on('checkExpectation', (message, response) => handle(message, response, true))
}

/**
 * Listens at `address`; returns the address as text, and the port if there is one.
 * @throws SvcError `ERR_LISTEN_FAILED`
 */
async function openListener(
  server: Server,
  address: OwnAddress,
  { bind = (open) => open() }: Pick<ListenOptions, 'bind'>,
): Promise<{ text: string; port: number | undefined }> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      bind(() => server.listen(address))
      server.once('listening', resolve)
    })
  } catch (cause) {
    throw listenFailed(address, cause)
  }
  if ('path' in address) return { text: address.path, port: undefined }
  const { address: host, port } = server.address() as AddressInfo
  return { text: `${host.includes(':') ? `[${host}]` : host}:${port}`, port }
}
