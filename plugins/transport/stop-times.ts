/** How long a stop waits for clients without a request under way. The same on every server. */

/** For a request whose head is incomplete, and for answers that the kernel has not taken yet, in milliseconds. */
export const HALF_HEAD_MS = 250

/**
 * For a client that takes nothing of the last bytes of its answer, or sends nothing of its body, in milliseconds. With node:http it
 * can take twice as long, because node:http looks twice before it calls a socket idle.
 */
export const STUCK_MS = 1_000
