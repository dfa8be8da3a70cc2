/** Sends bodies of which a client that does not read would make the service keep much. */
import type { ServerResponse } from 'node:http'
import { COUNTED_BYTES, holdUnread, UNREAD_MS } from '../unread.ts'
import { knownOf } from './connection.ts'

/** Bytes that are handed to the socket at a time, so that it shows whether the client reads. */
const PIECE_BYTES = 262_144

/** The body of a plain reply as bytes, if it is one for {@link sendLarge}. */
export function largeBody(body: string | Uint8Array): Uint8Array | undefined {
  if (body.length <= COUNTED_BYTES / 3) return undefined
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return bytes.byteLength > COUNTED_BYTES ? bytes : undefined
}

/** Sends a body after its head, piece by piece as the client reads. A client that reads nothing for {@link UNREAD_MS} is disconnected. */
export function sendLarge(response: ServerResponse, body: Uint8Array): void {
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
