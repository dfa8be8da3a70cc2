/** The ids of runs and threads. */
import { httpFail } from '../../../core/catalogue.ts'
import type { RunRecord } from '../api.ts'
import { createEpoch } from '../streams/cursor.ts'

/** The form of the ids of runs and threads. */
export const runIdPattern: RegExp = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/

/** The ids that a caller may choose. */
export type RunIds = Pick<RunRecord, 'run_id' | 'thread_id'>

/** The ids of a new run: those of the request, or else new ones. @throws SvcError `malformed_request` */
export function idsOf(wished: Partial<RunIds>, randomBytes: (length: number) => Uint8Array): RunIds {
  const newId = (prefix: string): string => `${prefix}_${createEpoch(randomBytes(8))}${createEpoch(randomBytes(8))}`
  const ids = { run_id: wished.run_id ?? newId('run'), thread_id: wished.thread_id ?? newId('thread') }
  for (const id of Object.values(ids)) {
    if (!runIdPattern.test(id))
      throw httpFail('malformed_request', { message: `run_id and thread_id match ${runIdPattern}.` })
  }
  return ids
}

/**
 * When a new run begins, in Unix milliseconds: later than the other runs of its thread, whose readers get them in this order. Without
 * this rule, runs of one millisecond, a clock that is set back or the clocks of two nodes could turn the order around.
 */
export function beginningOf(
  now: number,
  thread_id: string,
  runs: Iterable<{ readonly record: Pick<RunRecord, 'thread_id' | 'created_at_ms'> }>,
): number {
  let beginning = now
  for (const { record } of runs)
    if (record.thread_id === thread_id) beginning = Math.max(beginning, record.created_at_ms + 1)
  return beginning
}
