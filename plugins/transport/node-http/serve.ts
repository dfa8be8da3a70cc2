/** Serves a surface on a listener by node:http. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { httpFail } from '../../../core/catalogue.ts'
import { closedSink, errorReply, type Reply } from '../../../core/http/reply.ts'
import type { Peer } from '../../../core/http/request.ts'
import type { Surface } from '../../../core/http/surface.ts'
import type { Logger } from '../../../core/log.ts'
import type { NoteRefusal } from '../refusals.ts'
import { toTarget } from '../target.ts'
import type { Connection as Given, Listener, ListenOptions } from './api.ts'
import { connectionOf, holdQueued } from './connection.ts'
import { watchSockets } from './drain.ts'
import { createHeadCheck } from './head.ts'
import { Message } from './message.ts'
import { openListener } from './open-listener.ts'
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

/**
 * Requests of one connection that may wait for their replies, and replies that may wait for their turn. A client that pipelines more is cut off: the parser goes on
 * with all that it has read, so that a pause would come thousands of requests late.
 */
const MAX_WAITING = 128

/** Largest announced body in bytes that is read and dropped to keep a connection, where the answer did not need it. */
const DROPPED_BODY_BYTES = 65_536

/**
 * Opens a listener.
 * @throws SvcError `ERR_LISTEN_FAILED`
 */
export async function serve(surface: Surface, options: ListenOptions, standard: ServeLimits): Promise<Listener> {
  const limits: ServeLimits = { ...standard, ...options.limits }
  const { log, monotonic } = limits
  const { address, admit } = options
  const isUnix = 'path' in address
  let draining = false
  const checkHead = createHeadCheck()

  const server = createServer({
    IncomingMessage: Message,
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
    const connection = connectionOf(message.socket, isUnix)
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
      finish(errorReply(announced), message, response, Infinity)
      return
    }
    const request = new NodeRequest(message, response, toTarget(message.url!), connection.peer, startedMs)
    request.awaitsContinue = awaitsContinue
    const reply = surface.handle(request)
    // A client that was not told to go on may leave its body out: nothing behind this request can be told from it.
    const left = (): number => (request.awaitsContinue ? Infinity : announced)
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
      connectionOf(socket, isUnix).over = true
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
    const connection = connectionOf(socket, isUnix)
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

  const incoming = 'incoming' in address ? address.incoming : undefined
  const { drain, close } = watchSockets(server, limits, incoming)
  const take = (given: Given, peer: Peer): void => {
    const socket = given as Socket
    connectionOf(socket, isUnix, peer)
    server.emit('connection', socket)
  }
  const bound = 'incoming' in address ? await address.incoming.open(take) : await openListener(server, address, options)
  // A server begins to look at its time limits when it listens, which one that is given its connections never does.
  if (incoming !== undefined) server.emit('listening')
  server.removeAllListeners('error')
  server.on('error', (error) => log.error('The listener failed.', { address: bound.text, error }))
  return {
    address: bound.text,
    port: bound.port,
    drain: () => {
      draining = true
      return drain()
    },
    close,
  }
}
