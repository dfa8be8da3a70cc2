/** Closes a listener without losing connections that clients have already made. */
import type { Server } from 'node:net'

/** How long a stop accepts the connections that wait, in milliseconds. Under a load that connects in every turn, some always wait. */
const QUEUE_MS = 2_000

/**
 * Accepts what waits, then closes the listener; open connections stay. Node accepts one connection in a turn of the event loop, and the
 * system resets those that it has not accepted when the listener closes: their clients may have sent a request by then.
 */
export async function stopListening(server: Server, monotonic: () => number): Promise<void> {
  let accepted = true
  const note = (): void => {
    accepted = true
  }
  server.on('connection', note)
  const untilMs = monotonic() + QUEUE_MS
  await nextTurn()
  while (accepted && monotonic() < untilMs) {
    accepted = false
    await nextTurn()
  }
  server.off('connection', note)
  server.close()
}

/**
 * Resolves in the phase of the event loop that follows the reading of sockets. Only from there on is a turn a whole one, in which
 * everything that had arrived is read.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
