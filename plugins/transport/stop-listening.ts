/**
 * Closes a listener without losing connections that clients have already made, and says how long every server waits for
 * clients without a request under way.
 */
import type { Server, Socket } from 'node:net'

/** For a request whose head is incomplete, and for answers that the kernel has not taken yet, in milliseconds. */
export const HALF_HEAD_MS = 250

/**
 * For a client that takes nothing of the last bytes of its answer, or sends nothing of its body, in milliseconds. With
 * node:http it can take twice as long, because node:http looks twice before it calls a socket idle.
 */
export const STUCK_MS = 1_000

/**
 * A stop closes a listener once nobody has connected in so many turns of the event loop one after another, with a
 * millisecond between: closing itself takes some 0.3 ms the first time, in which nobody should come.
 */
const QUIET_TURNS = 30

/** After so many such pauses it no longer waits for that, but for one short turn without a connection. */
const HOLD_TURNS = 200

/**
 * The longest short turn, in milliseconds: the longer a turn, the more clients connect after it has looked for them.
 */
const SHORT_TURN_MS = 0.1

/**
 * After so many pauses, or turns in all, it closes in any case: a few seconds. Turns are counted, because a host may
 * hold the clock.
 */
const [LIMIT_PAUSES, LIMIT_TURNS] = [1_000, 40_000]

/**
 * Accepts what waits, then closes the listener; open connections stay. The system resets connections that are not
 * accepted yet, or on their way, when the listener closes: their clients may have sent a request by then. So it closes
 * when nobody connects. Connections that are accepted meanwhile are served only then, since each answer may bring the
 * next connection: clients that wait for answers before they ask again, as those of a proxy do under load, come to
 * rest.
 */
export async function stopListening(server: Server, monotonic: () => number): Promise<void> {
  const accepted: Socket[] = []
  const hold = (socket: Socket): void => {
    accepted.push(socket.on('error', ignore))
  }
  const serve = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection').on('connection', hold)
  await untilQuiet(() => accepted.length, monotonic)
  // A stop that takes too long closes the server meanwhile, with all its connections.
  const isOver = !server.listening
  server.close()
  server.off('connection', hold)
  for (const listener of serve) server.on('connection', listener)
  for (const socket of accepted) {
    if (isOver) socket.destroy()
    socket.off('error', ignore)
    if (!socket.destroyed) server.emit('connection', socket)
  }
}

/** Resolves right after a turn of the event loop that has accepted nothing. A turn accepts one connection. */
async function untilQuiet(accepted: () => number, monotonic: () => number): Promise<void> {
  let quiet = 0
  let pauses = 0
  for (let turns = 0; turns < LIMIT_TURNS; turns++) {
    const [before, sinceMs] = [accepted(), monotonic()]
    await nextTurn()
    const isShort = monotonic() - sinceMs <= SHORT_TURN_MS
    quiet = accepted() > before ? 0 : quiet + 1
    if (quiet === 0) continue
    if ((isShort && (quiet > QUIET_TURNS || pauses >= HOLD_TURNS)) || pauses >= LIMIT_PAUSES) return
    // A process that has just slept is interrupted later, so less likely between its last look for connections and the
    // close.
    await new Promise((resolve) => setTimeout(resolve, 1))
    pauses++
  }
}

/** A client that went away before it was served. */
function ignore(): void {}

/**
 * Resolves in the phase of the event loop that follows the reading of sockets. Only from there on is a turn a whole
 * one, in which everything that had arrived is read.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
