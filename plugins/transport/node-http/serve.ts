/** Serves a surface on a listener by node:http. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { httpFail } from '../../../core/catalogue.ts'
import { closedSink, errorReply, type Reply } from '../../../core/http/reply.ts'
import type { Peer } from '../../../core/http/request.ts'
import type { Surface } from '../../../core/http/surface.ts'
import type { Logger } from '../../../core/log.ts'
import { plainAddress } from '../address.ts'
import { transportFail } from '../errors.ts'
import { listenFailed } from '../listen-failed.ts'
import type { NoteRefusal } from '../refusals.ts'
import { HALF_HEAD_MS, STUCK_MS } from '../stop.ts'
import { toTarget } from '../target.ts'
import type { Listener, ListenOptions } from './api.ts'
import { createHeadCheck } from './head.ts'
import { listen } from './listen.ts'
import { linger, refuse, toRefusal } from './refuse.ts'
import { NodeRequest } from './request.ts'
import { writeReply } from './write.ts'

/** What a server is limited to, and what it takes from its kernel. */
export interface ServeLimits {
  readonly maxHeaderBytes: number
  readonly headerTimeoutMs: number
  readonly bodyTimeoutMs: number
  readonly idleTimeoutMs: number
  readonly monotonic: () => number
  readonly log: Logger
  /** Told of what is refused before a surface sees it. */
  readonly refused: NoteRefusal
}

/** What is known of one connection. */
interface Connection {
  readonly peer: Peer
  /** Its last answer is decided. */
  over: boolean
  /** Requests that wait for their replies: more than one where the client pipelines. */
  waiting: number
  /** The answer to the request that came last. */
  latest: ServerResponse | undefined
  /** Told at a stop to take its last bytes soon. */
  hurried: boolean
  /** How many bytes it had sent of a body, and since when, as a stop saw it. */
  sent: { readonly bytes: number; readonly atMs: number }
  /** Answers that wait for those before them to be sent: there are some where the client pipelines. */
  queued: Set<ServerResponse> | undefined
}

/**
 * Requests of one connection that may wait for their replies, and replies that may wait for their turn. A client that pipelines more is cut off: the parser goes on
 * with all that it has read, so that a pause would come thousands of requests late.
 */
const MAX_WAITING = 128

/** On the socket itself: a map by socket would be looked through with every collection of garbage. */
const CONNECTION: unique symbol = Symbol('connection')

/** Largest announced body in bytes that is read and dropped to keep a connection, where the answer did not need it. */
const DROPPED_BODY_BYTES = 65_536

/** How often a stop looks for connections that nothing is left to wait for, in milliseconds. */
const SWEEP_MS = 50

/**
 * Opens a listener.
 * @throws SvcError `ERR_LISTEN_FAILED`
 */
export async function serve(surface: Surface, options: ListenOptions, limits: ServeLimits): Promise<Listener> {
  const { log, monotonic } = limits
  const { address, admit } = options
  let draining = false
  const checkHead = createHeadCheck()

  const server = createServer({
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headerTimeoutMs,
    requestTimeout: Math.max(limits.bodyTimeoutMs, limits.headerTimeoutMs),
    keepAliveTimeout: limits.idleTimeoutMs,
    // How precisely the two time limits are kept.
    connectionsCheckingInterval: Math.min(1_000, limits.headerTimeoutMs / 4),
    // Checked below, together with what node:http lets pass.
    requireHostHeader: false,
  })

  const handle = (message: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): void => {
    const startedMs = monotonic()
    const connection = connectionOf(message.socket)
    // What stands behind a request that ended the connection is not served.
    if (connection.over) return
    if (connection.waiting === MAX_WAITING || connection.queued?.size === MAX_WAITING) {
      connection.over = true
      message.socket.destroy()
      return
    }
    connection.latest = response
    if (response.socket === null) holdQueued(response, connection, message.socket)
    if (draining) response.shouldKeepAlive = false
    const announced = checkHead(message)
    if (typeof announced !== 'number') {
      limits.refused(announced)
      connection.over = true
      response.shouldKeepAlive = false
      finish(errorReply(announced), message, response, Number.POSITIVE_INFINITY)
      return
    }
    const request = new NodeRequest(message, response, toTarget(message.url!), connection.peer, startedMs)
    request.awaitsContinue = awaitsContinue
    const reply = surface.handle(request)
    // A client that was not told to go on may leave its body out: nothing behind this request can be told from it.
    const left = (): number => (request.awaitsContinue ? Number.POSITIVE_INFINITY : announced)
    if (!(reply instanceof Promise)) {
      finish(reply, message, response, left())
      return
    }
    connection.waiting++
    void reply.then((value) => {
      connection.waiting--
      finish(value, message, response, left())
    })
  }

  const finish = (reply: Reply, message: IncomingMessage, response: ServerResponse, announced: number): void => {
    if (response.destroyed || message.socket.destroyed) {
      reply.stream?.(closedSink)
      return
    }
    if (draining) response.shouldKeepAlive = false
    if (announced > 0 && !message.complete && (reply.status === 413 || announced > DROPPED_BODY_BYTES)) {
      // Nobody wants the rest of the body, and it is not worth the reading.
      response.shouldKeepAlive = false
      const { socket } = message
      connectionOf(socket).over = true
      socket.destroySoon = () => linger(socket)
      message.resume()
    }
    try {
      writeReply(reply, message.method!, response)
    } catch (error) {
      log.error('A reply could not be written.', { error })
      if (response.headersSent) response.destroy()
      else {
        writeReply(errorReply(httpFail('internal_error')), message.method!, response)
        reply.stream?.(closedSink)
      }
    }
  }

  const connectionOf = (socket: Socket & { [CONNECTION]?: Connection }): Connection => {
    let connection = socket[CONNECTION]
    if (connection === undefined) {
      const peer: Peer =
        'path' in address ? unixPeer : { transport: 'tcp', address: plainAddress(socket.remoteAddress ?? '') }
      connection = {
        peer,
        over: false,
        waiting: 0,
        latest: undefined,
        hurried: false,
        sent: nothing,
        queued: undefined,
      }
      socket[CONNECTION] = connection
    }
    return connection
  }

  if (admit !== undefined) {
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
  server.on('request', (message, response) => handle(message, response, false))
  server.on('checkContinue', (message, response) => handle(message, response, true))
  // An expectation that nobody here knows: whether a body follows cannot be told.
  server.on('checkExpectation', (message, response) => handle(message, response, true))
  server.on('connect', (_message, socket) => {
    const error = httpFail('malformed_request')
    limits.refused(error)
    refuse(socket as Socket, error)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket
    // Bytes behind a request that said `Connection: close`: nobody answers them, the answer under way goes out.
    if (error.code === 'HPE_CLOSED_CONNECTION') return
    const refusal = toRefusal(error)
    if (refusal !== undefined) limits.refused(refusal)
    const connection = connectionOf(socket)
    connection.over = true
    const { latest } = connection
    if (refusal === undefined || !socket.writable) socket.destroy()
    else if (latest === undefined || (latest.writableEnded && latest.req.complete)) refuse(socket, refusal)
    else if (latest.req.complete && !latest.headersSent) {
      // The broken bytes stand behind a request that is still to be answered: its answer is the last one.
      latest.shouldKeepAlive = false
    } else if (latest.headersSent) linger(socket)
    else refuse(socket, refusal)
  })

  const sockets = new Set<Socket & { [CONNECTION]?: Connection }>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  /** Refuses a request whose body does not come. */
  const giveUp = (socket: Socket, connection: Connection): void => {
    const error = transportFail('request_timeout')
    limits.refused(error)
    connection.over = true
    refuse(socket, error)
  }
  /** Ends, at a stop, the connections that node:http does not call idle and that have no request under way. */
  const hurry = (begunMs: number): void => {
    const nowMs = monotonic()
    for (const socket of sockets) {
      const connection = socket[CONNECTION]
      if (connection?.over) continue
      const latest = connection?.latest
      if (latest === undefined || latest.writableFinished) {
        if (nowMs - begunMs >= HALF_HEAD_MS) socket.destroy()
      } else if (latest.writableEnded && !connection!.hurried) {
        connection!.hurried = true
        socket.setTimeout(STUCK_MS)
      } else if (latest.req.readableFlowing === true && !latest.req.complete && !latest.headersSent) {
        // Somebody here waits for its body; who has not asked for one yet is slow himself.
        const bytes = socket.bytesRead
        if (bytes !== connection!.sent.bytes) connection!.sent = { bytes, atMs: nowMs }
        else if (nowMs - connection!.sent.atMs >= STUCK_MS) giveUp(socket, connection!)
      }
    }
  }

  const bound = await open(server, options)
  server.removeAllListeners('error')
  server.on('error', (error) => log.error('The listener failed.', { address: bound.text, error }))
  return {
    address: bound.text,
    port: bound.port,
    drain: async () => {
      draining = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      // A stream that was open before ends on a connection that the client was told it may keep.
      const begunMs = monotonic()
      const sweep = setInterval(() => {
        server.closeIdleConnections()
        hurry(begunMs)
      }, SWEEP_MS)
      await closed
      clearInterval(sweep)
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

/**
 * Keeps an answer that waits for its turn until it has it. node:http tells only the answer whose turn it is that the
 * connection is gone; the others hear it from here, so that nothing stays reserved for them.
 */
function holdQueued(response: ServerResponse, connection: Connection, socket: Socket): void {
  if (connection.queued === undefined) {
    const queued = new Set<ServerResponse>()
    connection.queued = queued
    socket.once('close', () => {
      for (const one of queued) {
        one.destroyed = true
        one.emit('close')
      }
    })
  }
  const { queued } = connection
  queued.add(response)
  response.once('socket', () => queued.delete(response))
}

async function open(server: Server, options: ListenOptions): Promise<{ text: string; port: number | undefined }> {
  const { address, bind = (listen: () => void) => listen() } = options
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      bind(() => listen(server, address))
      server.once('listening', resolve)
    })
  } catch (cause) {
    throw listenFailed(address, cause)
  }
  if ('path' in address) return { text: address.path, port: undefined }
  const { address: host, port } = server.address() as AddressInfo
  return { text: `${host.includes(':') ? `[${host}]` : host}:${port}`, port }
}

const nothing = { bytes: -1, atMs: 0 }

const unixPeer: Peer = Object.freeze({ transport: 'unix', address: '' })
