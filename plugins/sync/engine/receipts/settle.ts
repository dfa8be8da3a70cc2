/**
 * Settles pushes whose time is over: removes their envelopes, and notifies readers of their events that none will
 * follow.
 */

import { close } from '../delivery/record-acknowledgement.ts'
import type { EngineOptions } from '../options.ts'
import type { LedgerReads, StoredPush } from '../store/api.ts'

/** Receipts in one transaction. */
const SLICE = 64

/** Settles the pushes that are due. Rejects if the store cannot be used. */
export async function settleDue(options: EngineOptions, changed: (pushId: string) => void): Promise<void> {
  const { store, now, limits } = options
  for (let more = true; more; ) {
    const nowMs = now()
    const due = await store.read((ledger) => ledger.openSince(nowMs - limits.settleAfterMs, SLICE))
    if (due.length === 0) return
    const settled = await store.write((ledger) =>
      due.flatMap((no) => {
        const push = readable(ledger, no)
        if (push === undefined) return []
        close(ledger, push, nowMs, limits.settleAfterMs)
        return [push.pushId]
      }),
    )
    for (const pushId of settled) changed(pushId)
    // A damaged row cannot be settled, and would be read again and again.
    more = settled.length === SLICE
    if (more) await options.yieldLoop()
  }
}

/** The push with a number; undefined if it cannot be read, so that a damaged row does not stop the others. */
export function readable(ledger: LedgerReads, no: number): StoredPush | undefined {
  try {
    return ledger.pushByNo(no)
  } catch {
    return undefined
  }
}
