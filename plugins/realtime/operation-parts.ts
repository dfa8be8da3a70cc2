/** What the operations of the realtime features share. */
import { type OperationSpec, refusal, retryAfter } from '../../core/declare/operation.ts'

/** The errors of an operation that counts against limits of its caller. */
export const limited: OperationSpec['answers'] = {
  429: { ...refusal('rate_limited'), headers: retryAfter },
  503: { ...refusal('overloaded'), headers: retryAfter },
}
