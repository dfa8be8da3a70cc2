/** Refusals by the server itself: of requests that cannot be parsed, and of bodies that are not read. */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { SvcError } from '../../../core/declare/errors.ts'
import { errorReply, type ReplyHeaders } from '../../../core/http/reply.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import { transportFail } from '../errors.ts'

/**
 * How long a connection is read after its last answer, in milliseconds. Closing while bytes are on
 * their way makes the kernel send a reset, which can overtake the answer.
 */
const LINGER_MS = 1_000

/** The answer to an error of the parser; undefined if there is none. */
export function toRefusal(error: NodeJS.ErrnoException): SvcError | undefined {
  if (error.code === 'HPE_HEADER_OVERFLOW') return transportFail('header_too_large')
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return transportFail('request_timeout')
  if (error.code?.startsWith('HPE_')) return httpFail('malformed_request')
  return undefined
}

/** Writes an error answer, with `more` headers, to a connection that has none under way, and closes it. */
export function refuse(socket: Socket, error: SvcError, more: ReplyHeaders = {}): void {
  const { status, headers, body = '' } = errorReply(error)
  const lines = Object.entries({ ...headers, ...more, 'content-length': String(body.length), connection: 'close' })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  linger(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${String(body)}`)
}

/** Ends a connection: what was written and `rest` is sent, what still comes is dropped for a moment. */
export function linger(socket: Socket, rest = ''): void {
  // node:http removes its listeners from a socket of CONNECT. An error without a listener would end the process.
  socket.on('error', () => socket.destroy())
  if (socket.destroyed) return
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
  socket.once('end', () => socket.destroySoon())
  socket.resume()
  socket.end(rest)
}
