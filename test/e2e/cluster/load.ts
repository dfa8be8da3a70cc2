import { until } from './rig.ts'

/** Calls a function in a loop. */
export interface Load {
  /**
   * The number of calls that have ended.
   * @throws the error of a call that failed
   */
  count(): number
  /** Ends the loop. Resolves to the number of calls. */
  stop(): Promise<number>
}

/** Starts to call a function in a loop. */
export function load(call: (n: number) => Promise<void>, pauseMs = 20): Load {
  let [n, isOver] = [0, false]
  const failed = new AbortController()
  const working = (async () => {
    for (; !isOver; n++) {
      await call(n)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    return n
  })()
  working.catch((error: unknown) => failed.abort(error))
  return {
    count: () => {
      failed.signal.throwIfAborted()
      return n
    },
    stop: () => {
      isOver = true
      return working
    },
  }
}

/** How many calls are waited for. The first of them may have begun before the wait. */
const FURTHER_CALLS = 6

/** Waits until each load has made a few more calls, so that calls are made in the present state of the cluster. */
export async function furtherCalls(loads: readonly Load[]): Promise<void> {
  const before = loads.map((one) => one.count())
  const areMade = async (): Promise<boolean> => loads.every((one, n) => one.count() >= before[n]! + FURTHER_CALLS)
  await until('further calls', areMade, 60_000)
}
