/** The SQL of the status and of the check of boards, with its parameters and rows. */
import type { StoreDriver, TableRows } from '../../store/api.ts'
/** The pushes that have not been sent. */
export interface OutboxStatus {
  readonly pending: number
  readonly oldestAtMs: number | null
}

/** Counts the outbox. Receipts are numbered in the order of their arrival, so that the lowest number is the oldest. */
export function readOutbox({ rows }: TableRows): OutboxStatus {
  const [row] = rows<[pending: number, oldestAtMs: number | null]>(
    `SELECT (SELECT count(*) FROM outbox),
            (SELECT created_at_ms FROM receipts WHERE no = (SELECT min(receipt_no) FROM outbox))`,
  )
  if (row === undefined) throw new Error('A count returned no row.')
  const [pending, oldestAtMs] = row
  return { pending, oldestAtMs }
}

/**
 * Whether a store has the tables of boards as this program makes them. A program that opens an older store migrates it
 * first.
 */
export function hasBoards(driver: StoreDriver): boolean {
  return driver.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'kbd_stale'").get() !== undefined
}
