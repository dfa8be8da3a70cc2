/** The ids of runs and threads. */
import { httpFail } from '../../../core/kernel/catalogue.ts'
import { createEpoch } from '../streams/cursor.ts'
import type { RunRecord } from './api.ts'

/** Most bytes of UTF-8 of an id. */
const MAX_BYTES = 256

/** The form of the ids of runs and threads, for messages. */
export const idForm: string = `1 to ${MAX_BYTES} bytes of UTF-8 without control characters, and neither "." nor ".."`

/** Whether a text can be the id of a run or of a thread. A URL parser would resolve `.` and `..` to another path. */
export function isId(text: string): boolean {
  return (
    !/^\.{0,2}$/.test(text) &&
    // The text is not encoded before its length is checked: each UTF-16 unit takes at least one byte.
    text.length <= MAX_BYTES &&
    // Control characters, and surrogates without a partner, which have no UTF-8.
    !/[\p{Cc}\p{Cs}]/u.test(text) &&
    new TextEncoder().encode(text).length <= MAX_BYTES
  )
}

/** The ids that a caller may choose. */
export type RunIds = Pick<RunRecord, 'run_id' | 'thread_id'>

/** The ids of a new run: those of the request, or else new ones. @throws SvcError `malformed_request` */
export function idsOf(wished: Partial<RunIds>, randomBytes: (length: number) => Uint8Array): RunIds {
  const newId = (prefix: string): string => `${prefix}_${createEpoch(randomBytes(8))}${createEpoch(randomBytes(8))}`
  const ids = { run_id: wished.run_id ?? newId('run'), thread_id: wished.thread_id ?? newId('thread') }
  for (const id of Object.values(ids)) {
    if (!isId(id)) throw httpFail('malformed_request', { message: `run_id and thread_id have ${idForm}.` })
  }
  return ids
}

/**
 * When a new run begins, in Unix milliseconds: later than the other runs of its thread, whose readers get them in this
 * order. Without this rule, runs of one millisecond, a clock that is set back or the clocks of two nodes could turn the
 * order around.
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
