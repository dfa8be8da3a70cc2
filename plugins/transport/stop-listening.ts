/** Closes a listener without losing connections that clients have already made. */
import type { Server, Socket } from 'node:net'

/** A stop closes a listener once nobody has connected for this long, in milliseconds. */
const QUIET_MS = 10

/** After this long it no longer waits for that, but for a turn of the event loop without a connection, in milliseconds. */
const HOLD_MS = 250

/** The longest such turn, in milliseconds: the longer a turn, the more clients connect after it has looked for them. */
const SHORT_TURN_MS = 0.1

/** After this long it closes in any case, in milliseconds. */
const LIMIT_MS = 2_000

/**
 * Accepts what waits, then closes the listener; open connections stay. The system resets connections that are not accepted yet, or on
 * their way, when the listener closes: their clients may have sent a request by then. So it closes when nobody connects. Connections that
 * are accepted meanwhile are served only then, since each answer may bring the next connection: clients that wait for answers before they
 * ask again, as those of a proxy do under load, come to rest.
 */
export async function stopListening(server: Server, monotonic: () => number): Promise<void> {
  const accepted: Socket[] = []
  const hold = (socket: Socket): void => {
    accepted.push(socket.on('error', ignore))
  }
  const serve = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection').on('connection', hold)
  await untilQuiet(() => accepted.length, monotonic)
  server.close()
  server.off('connection', hold)
  for (const listener of serve) server.on('connection', listener)
  for (const socket of accepted) {
    socket.off('error', ignore)
    if (!socket.destroyed) server.emit('connection', socket)
  }
}

/** Resolves right after a turn of the event loop that has accepted nothing. A turn accepts one connection. */
async function untilQuiet(accepted: () => number, monotonic: () => number): Promise<void> {
  const beganMs = monotonic()
  let quietSinceMs = beganMs
  for (;;) {
    const [before, sinceMs] = [accepted(), monotonic()]
    await nextTurn()
    const nowMs = monotonic()
    if (nowMs - beganMs > LIMIT_MS) return
    if (accepted() > before) quietSinceMs = nowMs
    else {
      const isShort = nowMs - sinceMs <= SHORT_TURN_MS
      if (isShort && (nowMs - quietSinceMs >= QUIET_MS || nowMs - beganMs >= HOLD_MS)) return
      // A process that has just slept is interrupted later, so less likely between its last look for connections and the close.
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
}

/** A client that went away before it was served. */
function ignore(): void {}

/**
 * Resolves in the phase of the event loop that follows the reading of sockets. Only from there on is a turn a whole one, in which
 * everything that had arrived is read.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
