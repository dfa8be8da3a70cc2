/** Calls a function in a loop. */
export interface Load {
  /** Ends the loop after at least `least` calls, however fast the machine is. Resolves to the number of calls. */
  stop(least?: number): Promise<number>
}

/** Starts to call a function in a loop. */
export function load(call: (n: number) => Promise<void>, pauseMs = 20): Load {
  let end = Number.POSITIVE_INFINITY
  const working = (async () => {
    let n = 0
    for (; n < end; n++) {
      await call(n)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    return n
  })()
  working.catch(() => undefined)
  return {
    stop: (least = 0) => {
      end = least
      return working
    },
  }
}
