/** The SQL of the change of the endpoint key. */
import type { AuditHead } from '../api.ts'
import type { LedgerReads } from '../capabilities.ts'

type Rows = Pick<LedgerReads, 'rows'>

/** Adds a signed checkpoint of the audit chain. */
export function insertCheckpoint(
  { rows }: Rows,
  { seq, hash }: AuditHead,
  atMs: number,
  endpointId: string,
  signature: string,
): void {
  rows('INSERT INTO audit_checkpoints VALUES (?, ?, ?, ?, ?)', seq, hash, atMs, endpointId, signature)
}

/** The endpoint id that signed the newest checkpoint; undefined if there is none. */
export function newestCheckpointSigner({ rows }: Rows): string | undefined {
  return rows<[endpointId: string]>('SELECT endpoint_id FROM audit_checkpoints ORDER BY seq DESC LIMIT 1')[0]?.[0]
}
