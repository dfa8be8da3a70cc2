/** A time limit on work that may hang. */
import type { Awaitable } from '../awaitable.ts'
import type { Clock } from '../environment.ts'

/**
 * Runs `work` and waits for it at most `limitMs` milliseconds.
 * @throws the error of `work`, or `late()` when the time is over. The work itself cannot be stopped and goes on.
 */
export async function withDeadline<T>(
  clock: Clock,
  limitMs: number,
  work: () => Awaitable<T>,
  late: () => Error,
): Promise<T> {
  const result = work()
  // Not `instanceof Promise`, because a host may pass promises of another realm or of a library.
  if (typeof (result as Partial<Promise<T>> | null | undefined)?.then !== 'function') return result
  return new Promise<T>((resolve, reject) => {
    const timer = clock.setTimeout(() => reject(late()), limitMs)
    const settle = <V>(then: (value: V) => void) => {
      return (value: V): void => {
        clock.clearTimeout(timer)
        then(value)
      }
    }
    Promise.resolve(result).then(settle(resolve), settle(reject))
  })
}
