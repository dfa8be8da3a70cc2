/** Ends the connections of a node:http server at a stop. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { transportFail } from '../errors.ts'
import type { NoteRefusal } from '../refusals.ts'
import { HALF_HEAD_MS, STUCK_MS, stopListening } from '../stop-listening.ts'
import type { Incoming } from './api.ts'
import { type Connected, type Connection, knownOf } from './connection.ts'
import { refuse } from './refuse.ts'

/** How often a stop checks for connections that it need not wait for, in milliseconds. */
const SWEEP_MS = 50

/**
 * Watches the sockets of a server from now on. The returned function closes the listener, and waits until the last
 * connection has ended: idle ones end after a moment in which their clients see that the listener is closed, others
 * when there is nothing left to wait for.
 */
export function watchSockets(
  server: Server,
  { monotonic, refused }: { readonly monotonic: () => number; readonly refused: NoteRefusal },
  incoming?: Incoming,
): { drain(): Promise<void>; close(): Promise<void> } {
  /** The sockets; each with the time at which a stop first saw it without a request under way. */
  const sockets = new Map<Connected, number | undefined>()
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, undefined)
    socket.once('close', () => sockets.delete(socket))
  })
  /** Refuses a request whose body does not arrive. */
  const giveUp = (socket: Socket, connection: Connection): void => {
    const error = transportFail('request_timeout')
    refused(error)
    connection.over = true
    refuse(socket, error)
  }
  /** Ends connections that have been without a request under way for a moment, and those whose client is stuck. */
  const hurry = (): void => {
    const nowMs = monotonic()
    for (const [socket, idleSinceMs = nowMs] of sockets) {
      const connection = knownOf(socket)
      if (connection?.over) continue
      const latest = connection?.latest
      const idle = connection === undefined || latest === undefined || latest.writableFinished
      sockets.set(socket, idle ? idleSinceMs : undefined)
      if (idle) {
        if (nowMs - idleSinceMs >= HALF_HEAD_MS) socket.destroy()
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
  const stopAccepting = (): Promise<void> => incoming?.close() ?? stopListening(server, monotonic)
  const allClosed = (): Promise<unknown> =>
    Promise.all([...sockets.keys()].map((socket) => new Promise((resolve) => void socket.once('close', resolve))))
  return {
    async drain() {
      await stopAccepting()
      hurry()
      // Timers run before the sockets are read: what has arrived by now is read first.
      const sweep = setInterval(() => setImmediate(hurry), SWEEP_MS)
      await allClosed()
      clearInterval(sweep)
    },
    async close() {
      // Ends the checks of time limits too.
      server.close()
      await incoming?.close()
      server.closeAllConnections()
      for (const socket of sockets.keys()) socket.destroy()
      await allClosed()
    },
  }
}
