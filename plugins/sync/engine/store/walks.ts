/** Reads that walk through a store: of a service that works by itself and of its operator. A host's bundle is without them. */
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

/** What a peer is due first, whenever that is, and from which receipt on something may wait that was never tried. */
export interface Due {
  readonly row: OutboxRow | undefined
  /** Infinity where nothing waits. */
  readonly from: number
  /** Whether it was not looked through to the end: what is due may stand further on. */
  readonly more: boolean
}

/** Looks up what a peer is due; what was never tried is looked for from a receipt on, in `limit` of them at most. */
export function outboxDue(
  ledger: Pick<LedgerReads, 'rows' | 'outboxRow'>,
  endpointId: string,
  from: number,
  limit: number,
): Due {
  // With attempts, so that the index of those serves it.
  const [found] = ledger.rows<OutboxColumns>(
    `SELECT ${OUTBOX_COLUMNS} FROM outbox WHERE endpoint_id = ? AND attempts > 0 ORDER BY next_attempt_at_ms LIMIT 1`,
    endpointId,
  )
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

/** When the first push was broadcast that still holds its envelope; undefined where none does. */
export function firstOpenMs(ledger: Rows): number | undefined {
  const [row] = ledger.rows<[first: number | null]>(
    'SELECT min(broadcast_at_ms) FROM receipts WHERE envelope IS NOT NULL',
  )
  return row?.[0] ?? undefined
}

/** Numbers of receipts behind `after`, in order, at most `limit`. */
export function receiptNos(ledger: Rows, after: number, limit: number): number[] {
  return ledger
    .rows<[no: number]>('SELECT no FROM receipts WHERE no > ? ORDER BY no LIMIT 0 + ?', after, limit)
    .map(([no]) => no)
}

/** The number of a receipt; undefined where there is none. */
export function receiptNo(ledger: Rows, pushId: string): number | undefined {
  return ledger.rows<[no: number]>('SELECT no FROM receipts WHERE push_id = ?', pushId)[0]?.[0]
}

/** Names of all projects. */
export function projectNames(ledger: Rows): string[] {
  return ledger.rows<[name: string]>('SELECT project FROM projects ORDER BY project').map(([name]) => name)
}
