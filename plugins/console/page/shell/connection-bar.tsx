/** A bar that appears while the service or the console does not answer. It retries until the service answers. */
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { connection } from '../lib/console-fetch.ts'
import { loadSession, local, runtime, session } from '../lib/service.ts'
import { awayText } from '../parts/datum.tsx'

/** Time between two attempts to reach a service that is away, in milliseconds. */
const RETRY_MS = 1_000
/** Longest duration of one attempt, in milliseconds. */
const PATIENCE_MS = 5_000

/** Shows the bar, or nothing while the service answers. */
export function ConnectionBar(): JSX.Element | null {
  const state = connection.value
  useEffect(() => {
    if (state === 'up') return
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const next = async (): Promise<void> => {
      // The request updates `connection`. Another attempt follows in any case.
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
          <strong>{awayText()}</strong> What the page shows may be old. It tries again every second.
        </>
      ) : (
        <>
          <strong>The console has ended, or does not accept this page any more.</strong> Run <code>svc console</code>{' '}
          again and open the address that it prints.
        </>
      )}
    </div>
  )
}

function ping(signal: AbortSignal): Promise<unknown> {
  if (session.value === undefined) return loadSession()
  return session.value.local == null ? runtime('/health', { signal }) : local('/health', { signal })
}
