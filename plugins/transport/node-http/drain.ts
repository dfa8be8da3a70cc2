/** Ends the connections of a node:http server at a stop. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { transportFail } from '../errors.ts'
import type { NoteRefusal } from '../refusals.ts'
import { HALF_HEAD_MS, STUCK_MS } from '../stop-times.ts'
import type { Incoming } from './api.ts'
import { type Connected, type Connection, knownOf } from './connection.ts'
import { refuse } from './refuse.ts'

/** How often a stop checks for connections that it need not wait for, in milliseconds. */
const SWEEP_MS = 50

/**
 * Watches the sockets of a server from now on. The returned function closes the listener, and waits until the last connection has
 * ended: idle ones end at once, others when there is nothing left to wait for.
 */
export function watchSockets(
  server: Server,
  { monotonic, refused }: { readonly monotonic: () => number; readonly refused: NoteRefusal },
  incoming?: Incoming,
): { drain(): Promise<void>; close(): Promise<void> } {
  const sockets = new Set<Connected>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  /** Refuses a request whose body does not arrive. */
  const giveUp = (socket: Socket, connection: Connection): void => {
    const error = transportFail('request_timeout')
    refused(error)
    connection.over = true
    refuse(socket, error)
  }
  /** Ends connections without a request under way that node:http does not count as idle. */
  const hurry = (begunMs: number): void => {
    const nowMs = monotonic()
    for (const socket of sockets) {
      const connection = knownOf(socket)
      if (connection?.over) continue
      const latest = connection?.latest
      if (connection === undefined || latest === undefined || latest.writableFinished) {
        if (nowMs - begunMs >= HALF_HEAD_MS) socket.destroy()
      } else if ((latest.writableEnded || latest === connection.sending) && !connection.hurried) {
        connection.hurried = true
        // A connection of another transport need not be a socket.
        socket.setTimeout?.(STUCK_MS)
      } else if (latest.req.readableFlowing === true && !latest.req.complete && !latest.headersSent) {
        // A handler waits for the body. If no handler has asked for the body, the client is not the slow side.
        const bytes = socket.bytesRead
        if (bytes !== connection.sent.bytes) connection.sent = { bytes, atMs: nowMs }
        else if (nowMs - connection.sent.atMs >= STUCK_MS) giveUp(socket, connection)
      }
    }
  }
  /** A server that does not listen itself emits no event at its end: it has ended with its last connection. */
  const end = async (): Promise<void> => {
    if (incoming === undefined) return new Promise((resolve) => void server.close(() => resolve()))
    await incoming.close()
    // It has no listener to close, and checks no time limits any more.
    server.close(() => undefined)
    await Promise.all([...sockets].map((socket) => new Promise((resolve) => void socket.once('close', resolve))))
  }
  const drain = async (): Promise<void> => {
    const closed = end()
    const begunMs = monotonic()
    // A stream that was open before the stop ends on a connection that the client may keep, according to its headers.
    const sweep = setInterval(() => {
      server.closeIdleConnections()
      hurry(begunMs)
    }, SWEEP_MS)
    await closed
    clearInterval(sweep)
  }
  return {
    drain,
    async close() {
      const closed = end()
      server.closeAllConnections()
      if (incoming !== undefined) for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
