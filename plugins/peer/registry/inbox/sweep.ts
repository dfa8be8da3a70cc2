/** Drops pushes of peers that made no progress for a day, and finished pushes that no peer sends again. */
import type { ReceiptStore } from '../../../sync/capabilities.ts'
import { deleteStaged } from '../staged/statements.ts'
import { DUE_SLICE, deletePush, duePushes } from './statements.ts'

const DAY_MS = 86_400_000
/** A push is refused seven days after it was signed, so its acknowledgement is not needed after eight days. */
const KEEP_DAYS = 8

/** Drops everything that is due at `nowMs`, one slice in each transaction. */
export async function sweepInbox(store: Pick<ReceiptStore, 'write'>, nowMs: number): Promise<void> {
  for (let dropped = DUE_SLICE; dropped === DUE_SLICE; )
    dropped = await store.write((ledger) => {
      const due = duePushes(ledger, nowMs - KEEP_DAYS * DAY_MS, nowMs - DAY_MS)
      for (const [no, pushId, state, peer] of due) {
        deleteStaged(ledger, no)
        deletePush(ledger, no)
        const push = ledger.push(pushId)
        if (state === 'received' && push?.localState === 'accepted' && push.origin === peer) ledger.dropPush(push.no)
      }
      return due.length
    })
}
