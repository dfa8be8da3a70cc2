/** Finds the next delivery to a peer. */
import type { LedgerReads, OutboxRow } from '../store/api.ts'
import { toOutboxRow } from '../store/rows.ts'
import { firstTried, firstTriedAfter, nextInOutbox } from './statements.ts'

/** The next delivery to a peer. */
export interface Due {
  /** The delivery that is due first; undefined if none was found. */
  readonly row: OutboxRow | undefined
  /** Number of the first receipt that may have a delivery which was never tried; Infinity if there is none. */
  readonly from: number
  /** Whether the search ended at its limit, so that a later receipt may have a delivery that is due. */
  readonly more: boolean
}

/**
 * Finds the next delivery to a peer. Deliveries that were never tried are searched from a receipt on, in at most
 * `limit` receipts. A delivery that waits beyond `lastMs` is first: its pause is from before the clock was set back,
 * and deliveries that are tried again and again would always precede it.
 */
export function outboxDue(
  ledger: Pick<LedgerReads, 'rows' | 'outboxRow'>,
  endpointId: string,
  from: number,
  limit: number,
  lastMs: number = Infinity,
): Due {
  const beyond = lastMs === Infinity ? undefined : firstTriedAfter(ledger, endpointId, lastMs)
  if (beyond !== undefined) return { row: toOutboxRow(beyond), from, more: false }
  const triedRow = firstTried(ledger, endpointId)
  const tried = triedRow === undefined ? undefined : toOutboxRow(triedRow)
  let no = from
  for (let looked = 0; no !== Infinity; looked++) {
    if (looked === limit) return { row: tried, from: no, more: true }
    const row = ledger.outboxRow(no, endpointId)
    if (row?.attempts === 0)
      return { row: tried && tried.nextAttemptAtMs < row.nextAttemptAtMs ? tried : row, from: no, more: false }
    no = nextInOutbox(ledger, no) ?? Infinity
  }
  return { row: tried, from: no, more: false }
}
