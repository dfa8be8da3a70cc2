/** Pushes that time settles: their envelopes go, and who waits for their events hears that nothing follows. */

import { close } from '../delivery/record-acknowledgement.ts'
import type { EngineOptions } from '../options.ts'
import type { Ledger, StoredPush } from '../store/api.ts'

/** Receipts that are looked at in one transaction. */
const SLICE = 64

/** Settles what is due. Rejects where the store cannot be used. */
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
    // What cannot be settled now, a damaged row, must not be asked for again and again.
    more = settled.length === SLICE
    if (more) await options.yieldLoop()
  }
}

/** The push under a number; undefined where it cannot be read, so that one damaged row does not hold up the others. */
export function readable(ledger: Ledger, no: number): StoredPush | undefined {
  try {
    return ledger.pushByNo(no)
  } catch {
    return undefined
  }
}
