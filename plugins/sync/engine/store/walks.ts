/** Reads that walk through a store: of a service that works by itself and of its operator. A host's bundle is without them. */
import type { LedgerReads, OutboxRow } from './api.ts'
import { OUTBOX_COLUMNS, type OutboxColumns, toOutboxRow } from './rows.ts'

/** What is in a store, counted. */
export interface StoreCounts {
  readonly receipts: number
  readonly events: number
  readonly devices: number
  readonly projects: number
  /** Commands of boards. */
  readonly commands: number
  /** Entries of the audit chain. */
  readonly audit: number
  readonly outbox: number
}

type Rows = Pick<LedgerReads, 'rows'>

/** Peers that something waits for, in order, at most `limit` behind `after`. */
export function outboxPeers(ledger: Rows, after: string, limit: number): string[] {
  // Each step jumps to the next peer by the index, however much waits for the one before.
  const found = ledger.rows<[id: string]>(
    `WITH RECURSIVE peers (id) AS (
       SELECT min(endpoint_id) FROM outbox WHERE endpoint_id > ?
       UNION ALL
       SELECT (SELECT min(endpoint_id) FROM outbox WHERE endpoint_id > id) FROM peers WHERE id IS NOT NULL)
     SELECT id FROM peers WHERE id IS NOT NULL LIMIT 0 + ?`,
    after,
    limit,
  )
  return found.map(([id]) => id)
}

/** What a peer is due first, whenever that is. */
export function outboxFirst(ledger: Rows, endpointId: string): OutboxRow | undefined {
  const [row] = ledger.rows<OutboxColumns>(
    `SELECT ${OUTBOX_COLUMNS} FROM outbox WHERE endpoint_id = ? ORDER BY next_attempt_at_ms LIMIT 1`,
    endpointId,
  )
  return row === undefined ? undefined : toOutboxRow(row)
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

/** Names of all projects. */
export function projectNames(ledger: Rows): string[] {
  return ledger.rows<[name: string]>('SELECT project FROM projects ORDER BY project').map(([name]) => name)
}

/** Counts what is there. */
export function storeCounts(ledger: Rows): StoreCounts {
  const count = (table: string): number => ledger.rows<[number]>(`SELECT count(*) FROM ${table}`)[0]![0]
  const has = (table: string): boolean => ledger.rows('SELECT 1 FROM sqlite_schema WHERE name = ?', table).length > 0
  // Tables of boards, which came later.
  const countLater = (table: string): number => (has(table) ? count(table) : 0)
  return {
    receipts: count('receipts'),
    events: count('events'),
    devices: count('devices'),
    projects: count('projects'),
    commands: countLater('kbd_commands'),
    audit: countLater('audit'),
    outbox: count('outbox'),
  }
}
