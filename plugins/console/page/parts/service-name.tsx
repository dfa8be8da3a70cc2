/** Which build the running service is, and how it differs from the program of the console. */
import type { JSX } from 'preact'
import { connection } from '../lib/console-fetch.ts'
import { visible } from '../lib/format.ts'
import { loadedSession } from '../lib/service.ts'

/** The profile and the version of the running service. */
export function ServiceName(): JSX.Element {
  const { service } = loadedSession()
  if (service === null || connection.value !== 'up') return <>build not known</>
  return (
    <>
      {visible(service.profile, 60)} <span class="brand-version">{visible(service.version, 40)}</span>
    </>
  )
}

/**
 * Says that the running service is another build than the program of the console; nothing if it is the same, or if that
 * is not known.
 */
export function Differs(): JSX.Element | null {
  const { service, program } = loadedSession()
  if (service === null || service.isSame !== false || connection.value !== 'up') return null
  return (
    <p class="datum datum-unknown" role="note">
      The running service is another build than this console: the service is {visible(service.profile, 60)}{' '}
      {visible(service.version, 40)}, commit {visible(service.commit, 40)}; the console is {program.profile}{' '}
      {program.version}, commit {program.commit}. Sizes and proofs here are those of the console’s program. Restart the
      older of the two.
    </p>
  )
}
