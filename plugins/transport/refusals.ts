/**
 * Counts and logs requests that servers refuse themselves. They reach no surface, and so are in no log line of
 * requests.
 */

import type { SvcError } from '../../core/declare/errors.ts'
import { type Counter, counter, type Metric } from '../../core/declare/metric.ts'
import type { Logger } from '../../core/kernel/log.ts'

/** Refusals by status. */
export const refusedRequests: Metric<Counter<'status'>> | undefined = counter('svc_http_refused_total', {
  unit: 'requests',
  help: 'Requests that a server refused before they reached a surface.',
  labels: ['status'],
})

/** Records one refusal. */
export type NoteRefusal = (error: SvcError) => void

/** Where refusals are recorded. */
export interface RefusalOptions {
  readonly log: Logger
  readonly monotonic: () => number
  readonly refusals: Counter<'status'>
}

/** At most one line in this time, in milliseconds, so that a client that sends garbage cannot fill the log. */
const QUIET_MS = 10_000

/** Records refusals of one server: each is counted, the first is logged, and later ones are logged together. */
export function createRefusals({ log, monotonic, refusals }: RefusalOptions): NoteRefusal {
  let quietUntilMs = -Infinity
  let refused = 0
  return (error) => {
    refusals.add({ status: String(error.status) })
    refused++
    if (monotonic() < quietUntilMs) return
    quietUntilMs = monotonic() + QUIET_MS
    log.info('Requests were refused before they were requests.', { status: error.status, code: error.code, refused })
    refused = 0
  }
}
