/** Runs the work on one push one after the other, because the same push may come over several connections. */

/** Runs `work` once all earlier work on the push of this number has ended. `isFirst` is true if there was none. */
export type PushQueue = <T>(no: number, work: (isFirst: boolean) => Promise<T>) => Promise<T>

/** Creates a queue. Work on different pushes runs at the same time. */
export function createPushQueue(): PushQueue {
  const last = new Map<number, Promise<unknown>>()
  return async (no, work) => {
    const before = last.get(no)
    const running = (before ?? Promise.resolve()).catch(() => undefined).then(() => work(before === undefined))
    last.set(no, running)
    try {
      return await running
    } finally {
      if (last.get(no) === running) last.delete(no)
    }
  }
}
