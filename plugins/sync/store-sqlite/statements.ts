/** The SQL of the store on a file. */
import type { LedgerRows } from '../engine/store/api.ts'

/** Writes a row that shows that rows can be written. */
export function writeProbe({ rows }: LedgerRows, atMs: number): void {
  rows("INSERT OR REPLACE INTO meta VALUES ('writable_at', ?)", `${atMs}`)
}
