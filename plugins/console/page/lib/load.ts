/** Loads the data of a view, and loads it again. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Reading } from './reading.ts'
import { recoveries, ServiceError } from './service.ts'

/** The result of the loads so far. */
export interface Loaded<T> extends Reading<T> {
  /** Loads again at once. */
  reload(): void
}

/** When to load. */
export interface LoadOptions {
  /** Time from one load to the next, in milliseconds; loads once if absent. A hidden page waits until it is visible. */
  readonly everyMs?: number
  /** Values whose change starts a new load. */
  readonly inputs?: readonly unknown[]
}

/** Loads data as long as the component is shown, and again each time the service has recovered. */
export function useLoad<T>(
  load: (stop: AbortSignal) => Promise<T>,
  { everyMs, inputs = [] }: LoadOptions = {},
): Loaded<T> {
  const [{ data, atMs }, setRead] = useState<Pick<Reading<T>, 'data' | 'atMs'>>({ data: undefined, atMs: undefined })
  const [error, setError] = useState<ServiceError | undefined>(undefined)
  const [round, setRound] = useState(0)
  const loader = useRef(load)
  loader.current = load
  const recovery = recoveries.value
  useEffect(() => {
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const run = async (): Promise<void> => {
      try {
        const value = await loader.current(stop.signal)
        if (stop.signal.aborted) return
        setRead({ data: value, atMs: Date.now() })
        setError(undefined)
      } catch (cause) {
        if (stop.signal.aborted) return
        if (!(cause instanceof ServiceError)) throw cause
        setError(cause)
      }
      if (everyMs !== undefined) timer = setTimeout(whenVisible, everyMs)
    }
    const whenVisible = (): void => {
      if (!document.hidden) return void run()
      document.addEventListener('visibilitychange', whenVisible, { once: true, signal: stop.signal })
    }
    void run()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [everyMs, recovery, round, ...inputs])
  return { data, error, atMs, reload: useCallback(() => setRound((before) => before + 1), []) }
}
