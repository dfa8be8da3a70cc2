/** A bar that says that the service, or the console, is away. It asks again until the service answers. */
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { connection, local, runtime, session } from '../lib/service.ts'

/** Time between two attempts to reach a service that is away, in milliseconds. */
const RETRY_MS = 1_000

/** Nothing while all is well. */
export function ConnectionBar(): JSX.Element | null {
  const state = connection.value
  useEffect(() => {
    if (state !== 'away') return
    // A refusal is kept by `connection`; the next attempt follows in any case.
    const timer = setInterval(() => void ping().catch(() => undefined), RETRY_MS)
    return () => clearInterval(timer)
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

function ping(): Promise<unknown> {
  return session.value?.local == null ? runtime('/health') : local('/health')
}
