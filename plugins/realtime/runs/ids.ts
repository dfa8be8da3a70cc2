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
