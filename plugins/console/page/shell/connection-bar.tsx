/** A bar that says that the service, or the console, is away. It asks again until the service answers. */
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { connection, loadSession, local, runtime, session } from '../lib/service.ts'

/** Time between two attempts to reach a service that is away, in milliseconds. */
const RETRY_MS = 1_000
/** How long one attempt may take, in milliseconds. */
const PATIENCE_MS = 5_000

/** Nothing while all is well. */
export function ConnectionBar(): JSX.Element | null {
  const state = connection.value
  useEffect(() => {
    if (state === 'up') return
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const next = async (): Promise<void> => {
      // `connection` keeps what came of it; another attempt follows in any case.
      await ping(AbortSignal.any([stop.signal, AbortSignal.timeout(PATIENCE_MS)])).catch(() => undefined)
      if (!stop.signal.aborted) timer = setTimeout(next, RETRY_MS)
    }
    timer = setTimeout(next, RETRY_MS)
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [state])
  if (state === 'up') return null
  return (
    <div class={`connection connection-${state}`} role="status">
      {state === 'away' ? (
        <>
          <strong>The service does not answer.</strong> What you see is from before; the console asks again every
          second.
        </>
      ) : (
        <>
          <strong>The console has ended, or no longer knows this page.</strong> Run <code>svc console</code> again and
          open the address that it prints.
        </>
      )}
    </div>
  )
}

function ping(signal: AbortSignal): Promise<unknown> {
  if (session.value === undefined) return loadSession()
  return session.value.local == null ? runtime('/health', { signal }) : local('/health', { signal })
}
