/** What the inbox forgets: pushes that made no progress for a day, and words that nobody can ask for any more. */
import type { PeerState } from '../../sync/api.ts'
import type { ReceiptStore } from '../../sync/capabilities.ts'
import { dropStaged } from './staged.ts'

const DAY_MS = 86_400_000
/** A push is taken for seven days, so that nobody asks for a word again after eight. */
const KEEP_DAYS = 8
/** Rows that are dropped in one transaction. */
const SLICE = 64

/** Drops all that is due at `nowMs`. */
export async function sweepInbox(store: Pick<ReceiptStore, 'write'>, nowMs: number): Promise<void> {
  for (let dropped = SLICE; dropped === SLICE; )
    dropped = await store.write((ledger) => {
      const due = ledger.rows<[no: number, pushId: string, state: PeerState, peer: string]>(
        `SELECT no, push_id, state, peer FROM peer_inbox
         WHERE touched_at_ms < ? OR (state = 'received' AND touched_at_ms < ?) LIMIT ${SLICE}`,
        nowMs - KEEP_DAYS * DAY_MS,
        nowMs - DAY_MS,
      )
      for (const [no, pushId, state, peer] of due) {
        dropStaged(ledger, no)
        ledger.rows('DELETE FROM peer_inbox WHERE no = ?', no)
        const push = ledger.push(pushId)
        if (state === 'received' && push?.localState === 'accepted' && push.origin === peer) ledger.dropPush(push.no)
      }
      return due.length
    })
}
