/** The slow check behind `/ready`: walks through the rows of the store for ever, a few at a time. */
import type { Clock } from '../../../core/environment.ts'
import type { Logger } from '../../../core/log.ts'
import type { ReceiptStore } from '../engine/store/api.ts'
import { checkRows } from '../engine/store/check-rows.ts'

/** Receipts of one look: about a millisecond of the loop. */
const SLICE = 64
/** Between two looks: a million receipts take four hours and a half. */
const PAUSE_MS = 1_000
/** Between two walks, so that a small store is not read for ever. */
const REST_MS = 60_000

/** A walk that goes on until it is stopped. */
export interface RowCheck {
  start(): void
  stop(): void
  /** What was found damaged in the last whole walk and in this one. */
  damaged(): readonly string[]
}

/** Makes the walk. */
export function createRowCheck(
  store: ReceiptStore,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): RowCheck {
  let timer: unknown
  let stopped = false
  let after = -1
  let earlier: readonly string[] = []
  let found: readonly string[] = []

  const look = async (): Promise<void> => {
    const from = after
    const report = await store.read((ledger) => checkRows(ledger, from, SLICE))
    if (report.damaged.length > 0) {
      log.error('Rows of the receipt store are damaged.', { damaged: report.damaged })
      found = [...found, ...report.damaged]
    }
    after = report.next ?? -1
    if (report.next !== undefined) return
    earlier = found
    found = []
  }
  const step = (): void => {
    look()
      // A store that cannot be read is told by the check that reads one row.
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
    damaged: () => [...new Set([...earlier, ...found])],
  }
}
