/** Handles the requests of one server by node:http: checks the head, asks the surface, writes the reply. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { closedSink, errorReply, type Reply } from '../../../core/http/reply.ts'
import type { Surface } from '../../../core/http/surface.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import type { Logger } from '../../../core/kernel/log.ts'
import type { NoteRefusal } from '../refusals.ts'
import { toTarget } from '../target.ts'
import { type Connection, connectionOf, holdQueued } from './connection.ts'
import { createHeadCheck } from './head.ts'
import { linger } from './refuse.ts'
import { fieldOf, NodeRequest } from './request.ts'
import { writeReply } from './write.ts'

/** What the handler needs. */
export interface HandlerParts {
  readonly surface: Surface
  readonly isUnix: boolean
  readonly monotonic: () => number
  readonly log: Logger
  /** Called for each request that is refused before the surface gets it. */
  readonly refused: NoteRefusal
  /** Whether a stop has begun, so that each reply is the last one of its connection. */
  readonly stopping: () => boolean
}

/** Handles one request. `awaitsContinue`: the client sends its body only after a 100. */
export type Handle = (message: IncomingMessage, response: ServerResponse, awaitsContinue: boolean) => void

/**
 * Requests of one connection that may wait for their replies, and replies that may wait for their turn. A client that
 * pipelines more is disconnected: the parser continues with all that it has read, so that a pause would come thousands
 * of requests late.
 */
const MAX_WAITING = 128

/**
 * Largest announced body in bytes that is read and dropped to keep a connection, if the answer did not need the body.
 */
const DROPPED_BODY_BYTES = 65_536

/** Creates the handler of a server. */
export function createHandler(parts: HandlerParts): Handle {
  const { surface, isUnix, monotonic, refused, stopping } = parts
  const checkHead = createHeadCheck()
  const finish = createFinish(parts)

  return (message, response, awaitsContinue) => {
    const startedMs = monotonic()
    const connection = connectionOf(message.socket, isUnix)
    // A request behind the one that ended the connection is not served.
    if (connection.over) return
    if (isFull(connection)) {
      connection.over = true
      message.socket.destroy()
      return
    }
    connection.latest = response
    if (response.socket === null) holdQueued(response, connection, message.socket)
    if (stopping()) response.shouldKeepAlive = false
    const announced = checkHead(message)
    if (typeof announced !== 'number') {
      refused(announced)
      connection.over = true
      response.shouldKeepAlive = false
      const refusal = errorReply(announced)
      const headers = { ...refusal.headers, ...surface.crossOrigin(fieldOf(message, 'origin')) }
      finish({ ...refusal, headers }, message, response, Infinity)
      return
    }
    const request = new NodeRequest(message, response, toTarget(message.url ?? ''), connection.peer, startedMs)
    request.awaitsContinue = awaitsContinue
    const reply = surface.handle(request)
    // A client that got no 100 may leave its body out, so what follows this request cannot be told from a body.
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
}

function isFull({ waiting, queued }: Connection): boolean {
  return waiting === MAX_WAITING || queued?.size === MAX_WAITING
}

/** Writes a reply. `announced` are the bytes of the body that the request announced. */
type Finish = (reply: Reply, message: IncomingMessage, response: ServerResponse, announced: number) => void

function createFinish({ isUnix, log, stopping }: HandlerParts): Finish {
  return (reply, message, response, announced) => {
    const method = message.method ?? ''
    if (response.destroyed || message.socket.destroyed) {
      reply.stream?.(closedSink)
      return
    }
    if (stopping()) response.shouldKeepAlive = false
    const isLast = reply.status === 413 || announced > DROPPED_BODY_BYTES || !response.shouldKeepAlive
    if (announced > 0 && !message.complete && isLast) dropBody(message, response, isUnix)
    try {
      writeReply(reply, method, response)
    } catch (error) {
      log.error('A reply could not be written.', { error })
      if (response.headersSent) response.destroy()
      else {
        writeReply(errorReply(httpFail('internal_error')), method, response)
        reply.stream?.(closedSink)
      }
    }
  }
}

/** Makes the reply the last one of its connection, because the rest of the body is not worth reading. */
function dropBody(message: IncomingMessage, response: ServerResponse, isUnix: boolean): void {
  response.shouldKeepAlive = false
  const { socket } = message
  connectionOf(socket, isUnix).over = true
  socket.destroySoon = () => linger(socket)
  message.resume()
}
