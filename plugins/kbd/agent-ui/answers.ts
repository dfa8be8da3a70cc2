/** Answers of the streams of boards, for the documentation. */
import { type AnswerSpec, eventStream, refusal, retryAfter } from '../../../core/declare/operation.ts'

/** The events of a board. */
export const FOLLOWED: AnswerSpec = eventStream(
  'Events of AG-UI: RUN_STARTED, STATE_SNAPSHOT, then for each command a STATE_DELTA and a CUSTOM `svc.kbd.conflict` for ' +
    'each conflict that it opened. A reader that fell far behind gets another STATE_SNAPSHOT instead.',
)
/** No stream can be opened now. */
export const STREAMS_FULL: AnswerSpec = { ...refusal('overloaded', 'receipt_store_unavailable'), headers: retryAfter }
