/** Writes a reply, plain or as a stream, to a `ServerResponse`. */
import type { ServerResponse } from 'node:http'
import { closedSink, type Reply, type StreamSink } from '../../../core/http/reply.ts'
import { COUNTED_BYTES, holdUnread, UNREAD_MS } from '../unread.ts'
import { knownOf } from './connection.ts'
import { NodeSink } from './sink.ts'

/** Writes `reply`. A HEAD request gets the head that GET would get. */
export function writeReply(reply: Reply, method: string, response: ServerResponse): void {
  const { status, body } = reply
  if (reply.stream !== undefined) {
    openStream(reply.status, reply.stream, toFields(reply), method, response)
    return
  }
  const bodyless = status === 204 || status === 304
  response.writeHead(status, headOf(reply, bodyless))
  if (bodyless || method === 'HEAD' || body === undefined) {
    response.end()
    return
  }
  const large = largeBody(body)
  if (large === undefined) response.end(body)
  else sendLarge(response, large)
}

function openStream(
  status: number,
  start: (sink: StreamSink) => void,
  fields: string[],
  method: string,
  response: ServerResponse,
): void {
  const chunked = response.req.httpVersion === '1.1'
  if (chunked) fields.push('transfer-encoding', 'chunked')
  // Without a framing the end of the connection is the end of the body (RFC 9112 section 6.3).
  else response.shouldKeepAlive = false
  response.writeHead(status, fields)
  if (method === 'HEAD') {
    response.end()
    start(closedSink)
    return
  }
  response.flushHeaders()
  start(new NodeSink(response, chunked))
}

/** The fields of a plain reply, with its length. The fields of a constant reply are kept. */
function headOf(reply: Reply, bodyless: boolean): string[] {
  const cachedFields = heads.get(reply)
  if (cachedFields !== undefined) return cachedFields
  const fields = toFields(reply)
  if (!bodyless) fields.push('content-length', String(reply.body === undefined ? 0 : Buffer.byteLength(reply.body)))
  if (Object.isFrozen(reply)) heads.set(reply, fields)
  return fields
}

function toFields(reply: Reply): string[] {
  const fields: string[] = []
  const { headers } = reply
  if (headers !== undefined) for (const name in headers) fields.push(name, headers[name]!)
  return fields
}

const heads = new WeakMap<Reply, string[]>()

/** Bytes that are handed to the socket at a time, so that it shows whether the client reads. */
const PIECE_BYTES = 262_144

/** The body of a plain reply as bytes, if it is one for {@link sendLarge}. */
function largeBody(body: string | Uint8Array): Uint8Array | undefined {
  if (body.length <= COUNTED_BYTES / 3) return undefined
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return bytes.byteLength > COUNTED_BYTES ? bytes : undefined
}

/**
 * Sends a body after its head, piece by piece as the client reads. A client that reads nothing for {@link UNREAD_MS} is
 * disconnected.
 */
function sendLarge(response: ServerResponse, body: Uint8Array): void {
  const { socket } = response.req
  const connection = knownOf(socket)
  const unread = holdUnread(body, () => socket.destroy())
  let sent = 0
  const send = (): void => {
    unread.progress()
    while (sent < body.byteLength) {
      const piece = body.subarray(sent, sent + PIECE_BYTES)
      sent += piece.byteLength
      if (sent === body.byteLength) response.end(piece)
      else if (!response.write(piece)) return
    }
  }
  if (connection !== undefined) connection.sending = response
  // A connection of another transport need not be a socket.
  socket.setTimeout?.(UNREAD_MS)
  // Before node:http sets the time limit for the next request of this connection.
  response.prependOnceListener('finish', () => socket.setTimeout?.(0))
  response.once('close', () => unread.release())
  response.on('drain', send)
  send()
}
