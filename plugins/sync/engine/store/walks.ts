/** Reads that walk through the store, for a service and its operator. Embedded engines do not need them. */
import type { LedgerReads, OutboxRow } from './api.ts'
import { OUTBOX_COLUMNS, type OutboxColumns, toOutboxRow } from './rows.ts'

type Rows = Pick<LedgerReads, 'rows'>

/** Rows of the outbox that follow one, as receipt and peer, at most `limit`. */
export function outboxAfter(
  ledger: Rows,
  after: readonly [receiptNo: number, endpointId: string],
  limit: number,
): readonly (readonly [receiptNo: number, endpointId: string])[] {
  return ledger.rows<[receiptNo: number, endpointId: string]>(
    `SELECT receipt_no, endpoint_id FROM outbox WHERE (receipt_no, endpoint_id) > (?, ?)
     ORDER BY receipt_no, endpoint_id LIMIT 0 + ?`,
    ...after,
    limit,
  )
}

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
 * Finds the next delivery to a peer. Deliveries that were never tried are searched from a receipt on, in at most `limit` receipts.
 * One that waits beyond `lastMs` is first: it is from before the clock was set back, and others that are tried again and again
 * would always be before it.
 */
export function outboxDue(
  ledger: Pick<LedgerReads, 'rows' | 'outboxRow'>,
  endpointId: string,
  from: number,
  limit: number,
  lastMs: number = Infinity,
): Due {
  // The index covers rows with attempts alone.
  const triedRows: string = `SELECT ${OUTBOX_COLUMNS} FROM outbox WHERE endpoint_id = ? AND attempts > 0`
  const [beyond] =
    lastMs === Infinity
      ? []
      : ledger.rows<OutboxColumns>(
          `${triedRows} AND next_attempt_at_ms > ? ORDER BY next_attempt_at_ms LIMIT 1`,
          endpointId,
          lastMs,
        )
  if (beyond !== undefined) return { row: toOutboxRow(beyond), from, more: false }
  const [found] = ledger.rows<OutboxColumns>(`${triedRows} ORDER BY next_attempt_at_ms LIMIT 1`, endpointId)
  const tried = found === undefined ? undefined : toOutboxRow(found)
  let no = from
  for (let looked = 0; no !== Infinity; looked++) {
    if (looked === limit) return { row: tried, from: no, more: true }
    const row = ledger.outboxRow(no, endpointId)
    if (row?.attempts === 0)
      return { row: tried && tried.nextAttemptAtMs < row.nextAttemptAtMs ? tried : row, from: no, more: false }
    const [next] = ledger.rows<[no: number | null]>('SELECT min(receipt_no) FROM outbox WHERE receipt_no > ?', no)
    no = next?.[0] ?? Infinity
  }
  return { row: tried, from: no, more: false }
}

/** When the oldest push that still has its envelope was broadcast; undefined if there is none. */
export function firstOpenMs(ledger: Rows): number | undefined {
  const [row] = ledger.rows<[first: number | null]>(
    'SELECT min(broadcast_at_ms) FROM receipts WHERE envelope IS NOT NULL',
  )
  return row?.[0] ?? undefined
}

/** Numbers of receipts after `after`, in order, at most `limit`. */
export function receiptNos(ledger: Rows, after: number, limit: number): number[] {
  return ledger
    .rows<[no: number]>('SELECT no FROM receipts WHERE no > ? ORDER BY no LIMIT 0 + ?', after, limit)
    .map(([no]) => no)
}

/** The number of a receipt; undefined if there is none. */
export function receiptNo(ledger: Rows, pushId: string): number | undefined {
  return ledger.rows<[no: number]>('SELECT no FROM receipts WHERE push_id = ?', pushId)[0]?.[0]
}

/** Names of all projects. */
export function projectNames(ledger: Rows): string[] {
  return ledger.rows<[name: string]>('SELECT project FROM projects ORDER BY project').map(([name]) => name)
}
