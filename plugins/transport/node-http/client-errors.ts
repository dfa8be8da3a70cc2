/** Answers requests that node:http cannot parse, and CONNECT, on the raw socket. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Surface } from '../../../core/http/surface.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import type { NoteRefusal } from '../refusals.ts'
import { connectionOf } from './connection.ts'
import { linger, refuse, toRefusal } from './refuse.ts'

/** Refuses malformed requests of a server from now on. */
export function refuseBroken(
  server: Server,
  isUnix: boolean,
  refused: NoteRefusal,
  crossOrigin: Surface['crossOrigin'],
): void {
  server.on('connect', (_message, socket) => {
    const error = httpFail('malformed_request')
    refused(error)
    refuse(socket as Socket, error)
  })
  server.on('clientError', (error: ParserError, stream) => {
    const socket = stream as Socket
    // Bytes after a request with `Connection: close` are not answered. The answer under way is sent.
    if (error.code === 'HPE_CLOSED_CONNECTION') return
    const refusal = toRefusal(error)
    if (refusal !== undefined) refused(refusal)
    const connection = connectionOf(socket, isUnix)
    connection.over = true
    const { latest } = connection
    if (refusal === undefined || !socket.writable) socket.destroy()
    else if (latest === undefined || (latest.writableEnded && latest.req.complete))
      refuse(socket, refusal, crossOrigin(originOf(error)))
    else if (latest.req.complete && !latest.headersSent) {
      // The malformed bytes follow a request that has no answer yet. That answer is the last one.
      latest.shouldKeepAlive = false
    } else if (latest.headersSent) linger(socket)
    else refuse(socket, refusal, crossOrigin(originOf(error)))
  })
}

/** An error of the parser, with the bytes that it read last. */
type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer }

/**
 * The `Origin` of a request that the parser did not finish, as far as it is in the last bytes. A page cannot choose
 * this header, and other clients need no permission to read an answer.
 */
function originOf({ rawPacket }: ParserError): string | undefined {
  return /\r\norigin:[ \t]*([^\s]+)[ \t]*\r\n/i.exec(rawPacket?.toString('latin1') ?? '')?.[1]
}
