/** Runs work one piece after another. */

/** Runs `work` once all work that was given before has ended, whether it succeeded or not. */
export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>

/** Creates a queue. */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
}
