/** Starts to call a function in a loop. The returned function ends the loop and resolves to the number of calls. */
export function load(call: (n: number) => Promise<void>, pauseMs = 5): () => Promise<number> {
  let over = false
  const working = (async () => {
    let n = 0
    for (; !over; n++) {
      await call(n)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    return n
  })()
  working.catch(() => undefined)
  return () => {
    over = true
    return working
  }
}
