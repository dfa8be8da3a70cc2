/** The time limit of a test, and waits that end before it. */

/** Time limit of one test, in milliseconds: far above what any test needs, so that only a hang reaches it. */
export const limitMs: number = Number(process.env['SVC_TEST_LIMIT_MS'] ?? 480_000)

/**
 * `ms`, but at most this part of the time limit of a test. A wait that ends before the test fails with its own message,
 * which shows the output of the processes.
 */
export function withinLimit(ms: number, part: number): number {
  return Math.min(ms, part * limitMs)
}

/** The longest wait for a condition or a process, in milliseconds. Only a hang takes so long. */
export const WAIT_MS: number = withinLimit(120_000, 0.25)

/** The longest wait for a step that builds something, in milliseconds. */
export const BUILD_MS: number = withinLimit(240_000, 0.5)
