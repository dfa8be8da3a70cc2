/** Loads the data of a view, and loads it again. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type Reading, type ReadOf, readAbout } from './reading.ts'
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
  /** What the data is about. A change removes the data, and starts a new load. */
  readonly inputs?: readonly unknown[]
  /** Values whose change starts a new load about the same inputs. The data stays until the load has ended. */
  readonly changes?: readonly unknown[]
}

/** Longest time for a load that is repeated, in milliseconds. */
const PATIENCE_MS = 10_000

/** Aborts a load that takes too long, with an error that says so. A service that hangs never ends its answer. */
function startPatience(stop: AbortController): ReturnType<typeof setTimeout> {
  const message = `The service has not answered for ${PATIENCE_MS / 1_000} s.`
  return setTimeout(() => stop.abort(new ServiceError(0, 'no_answer', message)), PATIENCE_MS)
}

/** Loads data as long as the component is shown, and again each time the service has recovered. */
export function useLoad<T>(
  load: (stop: AbortSignal) => Promise<T>,
  { everyMs, inputs = [], changes = [] }: LoadOptions = {},
): Loaded<T> {
  const [read, setRead] = useState<ReadOf<T>>({ data: undefined, error: undefined, atMs: undefined, inputs })
  const [round, setRound] = useState(0)
  const loader = useRef(load)
  loader.current = load
  const recovery = recoveries.value
  useEffect(() => {
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const run = async (): Promise<void> => {
      const late = new AbortController()
      const patience = everyMs === undefined ? undefined : startPatience(late)
      try {
        const data = await loader.current(AbortSignal.any([stop.signal, late.signal]))
        if (stop.signal.aborted) return
        setRead({ data, error: undefined, atMs: Date.now(), inputs })
      } catch (error) {
        if (stop.signal.aborted) return
        if (!(error instanceof ServiceError)) throw error
        setRead((before) => ({ ...readAbout(inputs, before), error }))
      } finally {
        clearTimeout(patience)
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
  }, [everyMs, recovery, round, ...inputs, ...changes])
  const { data, error, atMs } = readAbout(inputs, read)
  return { data, error, atMs, reload: useCallback(() => setRound((before) => before + 1), []) }
}
