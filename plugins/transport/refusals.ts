/** Counts and tells of what the servers refuse by themselves: no surface, and so no log line of requests, has seen it. */
import type { SvcError } from '../../core/errors.ts'
import type { Logger } from '../../core/log.ts'

/** Notes one refusal. */
export type NoteRefusal = (error: SvcError) => void

/** What refusals are told to. */
export interface RefusalOptions {
  readonly log: Logger
  readonly monotonic: () => number
  /** Counts one by its status. */
  readonly count: ((status: number) => void) | undefined
}

/** At most one line in this time, in milliseconds: whoever sends garbage must not fill the log with it. */
const QUIET_MS = 10_000

/** Makes a note of refusals for one server: each is counted, the first is logged, and later ones together. */
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
