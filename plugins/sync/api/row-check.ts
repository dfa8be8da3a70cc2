/** The slow check behind `/ready`: it reads all rows of the store again and again, a few at a time. */
import type { Clock } from '../../../core/kernel/environment.ts'
import type { Logger } from '../../../core/kernel/log.ts'
import type { ReceiptStore } from '../engine/store/api.ts'
import { checkRows } from '../engine/store/check-rows.ts'

/** Receipts in one step, which takes about a millisecond. */
const SLICE = 64
/** Time between two steps. A million receipts take four and a half hours. */
const PAUSE_MS = 1_000
/** Time between two checks of the whole store, so that a small store is not read all the time. */
const REST_MS = 60_000

/** A check that continues until it is stopped. */
export interface RowCheck {
  start(): void
  stop(): void
  /** What was found damaged in the last complete check and in the present one. */
  damaged(): readonly string[]
}

/** Creates the check. */
export function createRowCheck(
  store: ReceiptStore,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): RowCheck {
  let timer: unknown
  let stopped = false
  let after = -1
  let earlier: readonly string[] = []
  let damagedRows: readonly string[] = []

  const look = async (): Promise<void> => {
    const from = after
    const report = await store.read((ledger) => checkRows(ledger, from, SLICE))
    if (report.damaged.length > 0) {
      log.error('Rows of the receipt store are damaged.', { damaged: report.damaged })
      damagedRows = [...damagedRows, ...report.damaged]
    }
    after = report.next ?? -1
    if (report.next !== undefined) return
    earlier = damagedRows
    damagedRows = []
  }
  const step = (): void => {
    look()
      // The check that reads one row reports a store that cannot be read.
      .catch(() => (after = -1))
      .finally(() => {
        if (!stopped) timer = clock.setTimeout(step, after < 0 ? REST_MS : PAUSE_MS)
      })
  }
  return {
    start: step,
    stop() {
      stopped = true
      clock.clearTimeout(timer)
    },
    damaged: () => [...new Set([...earlier, ...damagedRows])],
  }
}
