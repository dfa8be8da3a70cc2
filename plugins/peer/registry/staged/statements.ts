/** The SQL of the commands that wait for the rest of a push. `inbox` is the number of the push in the inbox. */
import type { TableRows } from '../../../store/api.ts'
/** Whether a push waits. */
export function isWaiting({ rows }: TableRows, inbox: number): boolean {
  return rows("SELECT 1 FROM peer_inbox WHERE no = ? AND state = 'received'", inbox).length > 0
}

/** Bytes of the commands that wait for pushes of a peer. */
export function stagedBytes({ rows }: TableRows, peer: string): number {
  const sql = "SELECT coalesce(sum(staged_bytes), 0) FROM peer_inbox WHERE peer = ? AND state = 'received'"
  return onlyRow(rows<[bytes: number]>(sql, peer))[0]
}

/** Counts more waiting bytes of a push. */
export function addStagedBytes({ rows }: TableRows, inbox: number, bytes: number, nowMs: number): void {
  rows('UPDATE peer_inbox SET staged_bytes = staged_bytes + ?, touched_at_ms = ? WHERE no = ?', bytes, nowMs, inbox)
}

/** A command that waits for the rest of its push. */
export interface StagedCommand {
  readonly id: string
  readonly parents: readonly string[]
  /** The canonical form of the envelope. */
  readonly text: string
}

/** The place of the last command that waits for a push; 0 if none does. */
export function lastStaged({ rows }: TableRows, inbox: number): number {
  return onlyRow(rows<[seq: number]>('SELECT coalesce(max(seq), 0) FROM peer_staged WHERE inbox = ?', inbox))[0]
}

/** Adds a command in a place. */
export function insertStaged(
  { rows }: TableRows,
  inbox: number,
  seq: number,
  { id, parents, text }: StagedCommand,
): void {
  rows('INSERT INTO peer_staged VALUES (?, ?, ?, ?, ?)', inbox, seq, id, parents.join(), text)
}

/** Whether a command waits for a push. */
export function isStaged({ rows }: TableRows, inbox: number, id: string): boolean {
  return rows('SELECT 1 FROM peer_staged WHERE inbox = ? AND id = ?', inbox, id).length > 0
}

/** The commands that wait for a push without their texts, in the order in which they came. */
export function stagedGraph({ rows }: TableRows, inbox: number): readonly Omit<StagedCommand, 'text'>[] {
  const sql = 'SELECT id, parents FROM peer_staged WHERE inbox = ? ORDER BY seq'
  return rows<[id: string, parents: string]>(sql, inbox).map(([id, parents]) => ({
    id,
    parents: parents === '' ? [] : parents.split(','),
  }))
}

/** The text of a command that waits for a push. */
export function stagedText({ rows }: TableRows, inbox: number, id: string): string | undefined {
  return rows<[text: string]>('SELECT command FROM peer_staged WHERE inbox = ? AND id = ?', inbox, id)[0]?.[0]
}

/** Removes the commands that wait for a push. */
export function deleteStaged({ rows }: TableRows, inbox: number): void {
  rows('DELETE FROM peer_staged WHERE inbox = ?', inbox)
}

/** The row of a statement that always returns one, such as an aggregate. Throws if there is none. */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('A statement about peers returned no row.')
  return row
}
