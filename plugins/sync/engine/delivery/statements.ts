/** The SQL that deliveries search the outbox with. */
import type { TableRows } from '../../../store/api.ts'
import { OUTBOX_COLUMNS, type OutboxColumns } from '../store/statements.ts'

/** Names a row of the outbox. */
export type OutboxKey = readonly [receiptNo: number, endpointId: string]

// The index covers rows with attempts alone.
const TRIED = `SELECT ${OUTBOX_COLUMNS} FROM outbox WHERE endpoint_id = ? AND attempts > 0`
const FIRST_TRIED = `${TRIED} ORDER BY next_attempt_at_ms LIMIT 1`
const FIRST_TRIED_AFTER = `${TRIED} AND next_attempt_at_ms > ? ORDER BY next_attempt_at_ms LIMIT 1`

/** The rows of the outbox that follow one, at most `limit`. */
export function outboxAfter({ rows }: TableRows, after: OutboxKey, limit: number): readonly OutboxKey[] {
  return rows<OutboxKey>(
    `SELECT receipt_no, endpoint_id FROM outbox WHERE (receipt_no, endpoint_id) > (?, ?)
     ORDER BY receipt_no, endpoint_id LIMIT 0 + ?`,
    ...after,
    limit,
  )
}

/** The delivery to a peer that was tried before and is due first. */
export function firstTried({ rows }: TableRows, endpointId: string): OutboxColumns | undefined {
  return rows<OutboxColumns>(FIRST_TRIED, endpointId)[0]
}

/** The same, of those that are due after a time. */
export function firstTriedAfter({ rows }: TableRows, endpointId: string, afterMs: number): OutboxColumns | undefined {
  return rows<OutboxColumns>(FIRST_TRIED_AFTER, endpointId, afterMs)[0]
}

/** The number of the next receipt with rows in the outbox; undefined if there is none. */
export function nextInOutbox({ rows }: TableRows, receiptNo: number): number | undefined {
  const [row] = rows<[no: number | null]>('SELECT min(receipt_no) FROM outbox WHERE receipt_no > ?', receiptNo)
  return row?.[0] ?? undefined
}

/** The number of a receipt; undefined if there is none. */
export function receiptNo({ rows }: TableRows, pushId: string): number | undefined {
  return rows<[no: number]>('SELECT no FROM receipts WHERE push_id = ?', pushId)[0]?.[0]
}
