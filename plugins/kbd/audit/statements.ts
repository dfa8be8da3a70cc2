/** The SQL of checkpoints, with its parameters and rows. */
import type { LedgerDriver } from '../../sync/api.ts'
import type { LedgerReads } from '../../sync/capabilities.ts'

/** A signed statement as it is stored. */
export interface StoredCheckpoint {
  readonly seq: number
  readonly hash: string
  readonly atMs: number
  readonly endpointId: string
  readonly signature: string
}

type Row = [seq: number, hash: string, atMs: number, endpointId: string, signature: string]

/** The last checkpoint; undefined if there is none. */
export function readLast(rows: LedgerReads['rows']): StoredCheckpoint | undefined {
  const sql = 'SELECT seq, hash, at_ms, endpoint_id, signature FROM audit_checkpoints ORDER BY seq DESC LIMIT 1'
  const [row] = rows<Row>(sql)
  if (row === undefined) return undefined
  const [seq, hash, atMs, endpointId, signature] = row
  return { seq, hash, atMs, endpointId, signature }
}

/** Adds a checkpoint. */
export function insertCheckpoint(driver: LedgerDriver, checkpoint: StoredCheckpoint): void {
  const { seq, hash, atMs, endpointId, signature } = checkpoint
  driver.prepare('INSERT INTO audit_checkpoints VALUES (?, ?, ?, ?, ?)').run(seq, hash, atMs, endpointId, signature)
}
