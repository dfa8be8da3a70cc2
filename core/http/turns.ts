/**
 * Processes one large body per turn of the event loop, so that bodies that arrive together do not block it for their
 * total time.
 */

/** Size in bytes up to which a body is processed in well under a millisecond, and does not wait. */
const SMALL_BYTES = 8_192

/** Resolves when a body of this many bytes may be processed; undefined if it need not wait. */
export type Turns = (bytes: number) => Promise<void> | undefined

/** Creates a queue of large bodies. `yieldLoop` resolves in a later turn of the event loop. */
export function createTurns(yieldLoop: () => Promise<void>): Turns {
  let queue: Promise<void> = Promise.resolve()
  return (bytes) => (bytes <= SMALL_BYTES ? undefined : (queue = queue.then(yieldLoop)))
}

/** Resolves in a later turn of the event loop, after the requests that have arrived by now. */
export function yieldToLoop(): Promise<void> {
  const { setImmediate: immediate = setTimeout } = globalThis as { setImmediate?: (run: () => void) => unknown }
  return new Promise((resolve) => void immediate(resolve))
}
