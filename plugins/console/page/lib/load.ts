/** Data that a view loads, and loads again. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { recoveries, ServiceError } from './service.ts'

/** What a load has given so far. */
export interface Loaded<T> {
  /** The newest value; undefined until there is one. It stays while a later load fails. */
  readonly data: T | undefined
  /** Why the last load failed; undefined after one that succeeded. */
  readonly error: ServiceError | undefined
  /** Loads at once. */
  reload(): void
}

/** When to load. */
export interface LoadOptions {
  /** Loads again this long after each load, in milliseconds; never where absent. Hidden pages wait until they are seen. */
  readonly everyMs?: number
  /** Loads anew when one of these changes. */
  readonly inputs?: readonly unknown[]
}

/** Loads for as long as the component is shown, and again when the service has recovered. */
export function useLoad<T>(
  load: (stop: AbortSignal) => Promise<T>,
  { everyMs, inputs = [] }: LoadOptions = {},
): Loaded<T> {
  const [data, setData] = useState<T | undefined>(undefined)
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
        setData(() => value)
        setError(undefined)
      } catch (cause) {
        if (stop.signal.aborted) return
        if (!(cause instanceof ServiceError)) throw cause
        setError(cause)
      }
      if (everyMs !== undefined) timer = setTimeout(whenSeen, everyMs)
    }
    const whenSeen = (): void => {
      if (!document.hidden) return void run()
      document.addEventListener('visibilitychange', whenSeen, { once: true, signal: stop.signal })
    }
    void run()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [everyMs, recovery, round, ...inputs])
  return { data, error, reload: useCallback(() => setRound((before) => before + 1), []) }
}
