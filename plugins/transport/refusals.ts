/** Counts and logs requests that servers refuse themselves. They reach no surface, and so are in no log line of requests. */
import type { SvcError } from '../../core/errors.ts'
import type { Logger } from '../../core/log.ts'

/** Records one refusal. */
export type NoteRefusal = (error: SvcError) => void

/** Where refusals are recorded. */
export interface RefusalOptions {
  readonly log: Logger
  readonly monotonic: () => number
  /** Counts a refusal by its status. */
  readonly count: ((status: number) => void) | undefined
}

/** At most one line in this time, in milliseconds, so that a client that sends garbage cannot fill the log. */
const QUIET_MS = 10_000

/** Records refusals of one server: each is counted, the first is logged, and later ones are logged together. */
export function createRefusals({ log, monotonic, count }: RefusalOptions): NoteRefusal {
  let quietUntilMs = -Infinity
  let refused = 0
  return (error) => {
    count?.(error.status)
    refused++
    if (monotonic() < quietUntilMs) return
    quietUntilMs = monotonic() + QUIET_MS
    log.info('Requests were refused before they were requests.', { status: error.status, code: error.code, refused })
    refused = 0
  }
}
