import type { Awaitable } from '../core/kernel/values.ts'

/** Milliseconds between two checks. */
const PAUSE_MS = 20

/**
 * Waits until a condition is true. Rejects after `limitMs`, which allows for a busy machine; a promised time is
 * compared with the milliseconds that it took, to which this resolves.
 */
export async function until(what: string, holds: () => Awaitable<boolean>, limitMs: number): Promise<number> {
  const since = performance.now()
  while (!(await holds())) {
    if (performance.now() - since > limitMs) throw new Error(`${what}: not within ${limitMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  return performance.now() - since
}
