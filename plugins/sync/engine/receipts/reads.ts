/** Reads receipts and their events. */
import type { PushReceipt, ReceiptEvent } from '../../api.ts'
import type { EngineOptions } from '../options.ts'
import { requirePush, toReceipt } from './receipts.ts'
import { isSettled } from './states.ts'

/** Events of a push after a position, and whether more can come. */
export interface EventPage {
  readonly events: readonly ReceiptEvent[]
  /** Whether no event can follow the last of `events`. */
  readonly ended: boolean
}

/** Reads of receipts. Each rejects with `push_not_found` if there is no push with the id, in either case. */
export interface ReceiptReads {
  receipt(pushId: string): Promise<PushReceipt>
  /** Events with a sequence greater than `after`, at most `limit`. */
  events(pushId: string, after: number, limit?: number): Promise<EventPage>
}

/** Creates the reads of a store. */
export function createReceiptReads({
  store,
  now,
  limits,
}: Pick<EngineOptions, 'store' | 'now' | 'limits'>): ReceiptReads {
  return {
    receipt: (pushId) => store.read((ledger) => toReceipt(ledger, requirePush(ledger, pushId))),
    events: (pushId, after, limit = 256) =>
      store.read((ledger) => {
        const push = requirePush(ledger, pushId)
        const events = ledger.events(push, after, limit)
        const last = events[events.length - 1]?.sequence ?? after
        return { events, ended: last >= push.lastSequence && isSettled(push, now(), limits.settleAfterMs) }
      }),
  }
}
