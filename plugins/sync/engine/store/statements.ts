/** The SQL over receipts, events, the outbox, devices and projects. */
import type { SqlStatement, SqlValue, StoreDriver, TableRows } from '../../../store/api.ts'
import type { Device, LocalState } from '../../api.ts'

/** Returns the statement of a text, which is compiled at its first use. */
export type Sql = (text: string) => SqlStatement

/** The columns of a receipt that its sum covers. */
export type PushValues = readonly [
  pushId: string,
  hash: string,
  domain: string,
  targets: string,
  localState: LocalState,
  perPeer: string,
  signerKeyId: string | null,
  signature: string | null,
  envelope: string | null,
  lastSequence: number,
  createdAtMs: number,
  updatedAtMs: number,
  broadcastAtMs: number | null,
  frontier: string | null,
  revision: number | null,
  origin: string | null,
]

/** A receipt: its number, its columns and its sum. */
export type PushRow = readonly [no: number, ...PushValues, sum: number]

/** The columns of a device that its sum covers. */
export type DeviceValues = readonly [
  keyId: string,
  deviceId: string,
  scopes: string,
  label: string | null,
  status: Device['status'],
  enrolledAtMs: number,
  expiresAtMs: number | null,
  revokedAtMs: number | null,
  revokedReason: string | null,
]

/** A device: its columns and its sum. */
export type DeviceRow = readonly [...DeviceValues, sum: number]

/** An event: its columns and its sum. */
export type EventRow = readonly [receiptNo: number, sequence: number, event: string, sum: number]

/** A project: its columns and its sum. */
export type ProjectRow = readonly [project: string, heads: string, sum: number]

/** A row of the outbox. It has no sum, because it can be made again from receipts. */
export type OutboxColumns = readonly [
  receiptNo: number,
  endpointId: string,
  attempts: number,
  nextAttemptAtMs: number,
  told: number,
  toldCode: string | null,
]

const PUSH_COLUMNS =
  'push_id, hash, domain, targets, local_state, per_peer, signer_key_id, signature, envelope, last_sequence, created_at_ms, updated_at_ms, broadcast_at_ms, frontier, revision, origin'
const DEVICE_COLUMNS =
  'key_id, device_id, scopes, label, status, enrolled_at_ms, expires_at_ms, revoked_at_ms, revoked_reason'
/** The columns of the outbox, for statements of other files. */
export const OUTBOX_COLUMNS = 'receipt_no, endpoint_id, attempts, next_attempt_at_ms, told, told_code'

// Composed once, because a text that is composed at each use is hashed at each use.
const SELECT_PUSH = `SELECT no, ${PUSH_COLUMNS}, sum FROM receipts`
const SELECT_PUSH_BY_ID = `${SELECT_PUSH} WHERE push_id = ?`
const SELECT_PUSH_BY_NO = `${SELECT_PUSH} WHERE no = ?`
const SELECT_PREPARED = `${SELECT_PUSH} WHERE local_state = 'prepared' AND domain = ? ORDER BY no`
const INSERT_PUSH = `INSERT INTO receipts (${PUSH_COLUMNS}, sum) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`
const SELECT_DEVICE = `SELECT ${DEVICE_COLUMNS}, sum FROM devices`
const SELECT_DEVICE_BY_KEY = `${SELECT_DEVICE} WHERE key_id = ?`
const SELECT_OUTBOX = `SELECT ${OUTBOX_COLUMNS} FROM outbox`
const SELECT_OUTBOX_OF = `${SELECT_OUTBOX} WHERE receipt_no = ?`
const SELECT_OUTBOX_ROW = `${SELECT_OUTBOX} WHERE receipt_no = ? AND endpoint_id = ?`

/** The receipt with an id. */
export function readPush(sql: Sql, pushId: string): PushRow | undefined {
  return sql(SELECT_PUSH_BY_ID).get(pushId)
}

/** The receipt with a number. */
export function readPushByNo(sql: Sql, no: number): PushRow | undefined {
  return sql(SELECT_PUSH_BY_NO).get(no)
}

/** The receipts of a domain in state `prepared`, in order. */
export function readPreparedPushes(sql: Sql, domain: string): readonly PushRow[] {
  return sql(SELECT_PREPARED).all(domain)
}

/** Numbers of receipts that were broadcast at `atMs` or before and have their envelope, oldest first. */
export function readOpenNos(sql: Sql, atMs: number, limit: number): readonly (readonly [no: number])[] {
  return sql(
    `SELECT no FROM receipts WHERE envelope IS NOT NULL AND broadcast_at_ms <= ?
     ORDER BY broadcast_at_ms LIMIT 0 + ?`,
  ).all(atMs, limit)
}

/** Adds a receipt. Returns its number. */
export function insertPush(sql: Sql, values: PushValues, sum: number): number {
  sql(INSERT_PUSH).run(...values, sum)
  // RETURNING would create a temporary table with a page cache for each row.
  return numberOf(sql('SELECT last_insert_rowid()').get())
}

/** Writes the columns of a receipt that change. */
export function updatePush(sql: Sql, no: number, values: PushValues, sum: number): void {
  sql(
    `UPDATE receipts SET local_state = ?, per_peer = ?, envelope = ?, last_sequence = ?, updated_at_ms = ?,
     broadcast_at_ms = ?, frontier = ?, revision = ?, sum = ? WHERE no = ?`,
  ).run(values[4], values[5], values[8], values[9], values[11], values[12], values[13], values[14], sum, no)
}

/** Removes a receipt with its events and its rows of the outbox. */
export function deletePush(sql: Sql, no: number): void {
  sql('DELETE FROM events WHERE receipt_no = ?').run(no)
  sql('DELETE FROM outbox WHERE receipt_no = ?').run(no)
  sql('DELETE FROM receipts WHERE no = ?').run(no)
}

/** Events of a receipt with a sequence greater than `after`, in order. */
export function readEvents(sql: Sql, no: number, after: number, limit: number): readonly EventRow[] {
  return sql(
    `SELECT receipt_no, sequence, event, sum FROM events WHERE receipt_no = ? AND sequence > ?
     ORDER BY sequence LIMIT 0 + ?`,
  ).all(no, after, limit)
}

/** Bytes of all events of a receipt, with one more byte for each. */
export function readEventBytes(sql: Sql, no: number): number {
  const bytes = 'SELECT coalesce(sum(length(CAST(event AS BLOB)) + 1), 0) FROM events WHERE receipt_no = ?'
  return numberOf(sql(bytes).get(no))
}

/** By number of events: the statement that writes them. */
const insertsOfEvents: string[] = []

/** Adds events. `values` has the columns of one after the other. */
export function insertEvents(sql: Sql, count: number, values: readonly SqlValue[]): void {
  const text = (insertsOfEvents[count] ??=
    `INSERT INTO events (receipt_no, sequence, event, sum) VALUES ${Array(count).fill('(?, ?, ?, ?)').join()}`)
  sql(text).run(...values)
}

/** The rows of the outbox of a receipt. */
export function readOutbox(sql: Sql, no: number): readonly OutboxColumns[] {
  return sql(SELECT_OUTBOX_OF).all(no)
}

/** The row of the outbox of a receipt for a peer. */
export function readOutboxRow(sql: Sql, no: number, endpointId: string): OutboxColumns | undefined {
  return sql(SELECT_OUTBOX_ROW).get(no, endpointId)
}

/** Writes rows of the outbox. `values` has the columns of one after the other. */
export function writeOutbox(sql: Sql, count: number, values: readonly SqlValue[]): void {
  const marks = Array(count).fill('(?, ?, ?, ?, ?, ?)').join()
  sql(`INSERT OR REPLACE INTO outbox (${OUTBOX_COLUMNS}) VALUES ${marks}`).run(...values)
}

/** Removes a row of the outbox. */
export function deleteOutboxRow(sql: Sql, no: number, endpointId: string): void {
  sql('DELETE FROM outbox WHERE receipt_no = ? AND endpoint_id = ?').run(no, endpointId)
}

/** The device of a key. */
export function readDevice(sql: Sql, keyId: string): DeviceRow | undefined {
  return sql(SELECT_DEVICE_BY_KEY).get(keyId)
}

/** All devices, oldest first. */
export function readDevices(sql: Sql): readonly DeviceRow[] {
  return sql(`${SELECT_DEVICE} ORDER BY enrolled_at_ms, key_id`).all()
}

/** Writes a device in the place of the one with its key, if there is one. */
export function writeDevice(sql: Sql, values: DeviceValues, sum: number): void {
  sql(`INSERT OR REPLACE INTO devices (${DEVICE_COLUMNS}, sum) VALUES (?,?,?,?,?,?,?,?,?,?)`).run(...values, sum)
}

/** Writes the columns of a device that a revocation changes. */
export function updateDevice(sql: Sql, values: DeviceValues, sum: number): void {
  sql('UPDATE devices SET status = ?, revoked_at_ms = ?, revoked_reason = ?, sum = ? WHERE key_id = ?').run(
    values[4],
    values[7],
    values[8],
    sum,
    values[0],
  )
}

/** A project. */
export function readProject(sql: Sql, project: string): ProjectRow | undefined {
  return sql('SELECT project, heads, sum FROM projects WHERE project = ?').get(project)
}

/** Adds a project, if it is not there. */
export function insertProject(sql: Sql, [project, heads, sum]: ProjectRow, createdAtMs: number): void {
  sql('INSERT INTO projects (project, heads, created_at_ms, sum) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING').run(
    project,
    heads,
    createdAtMs,
    sum,
  )
}

/** Writes the heads of a project. */
export function updateProject(sql: Sql, [project, heads, sum]: ProjectRow): void {
  sql('UPDATE projects SET heads = ?, sum = ? WHERE project = ?').run(heads, sum, project)
}

/** When the oldest push that still has its envelope was broadcast; undefined if there is none. */
export function firstOpenMs({ rows }: TableRows): number | undefined {
  const [row] = rows<[first: number | null]>('SELECT min(broadcast_at_ms) FROM receipts WHERE envelope IS NOT NULL')
  return row?.[0] ?? undefined
}

/** Numbers of receipts after `after`, in order, at most `limit`. */
export function receiptNos({ rows }: TableRows, after: number, limit: number): number[] {
  const nos = 'SELECT no FROM receipts WHERE no > ? ORDER BY no LIMIT 0 + ?'
  return rows<[no: number]>(nos, after, limit).map(([no]) => no)
}

/** Names of all projects, in order. */
export function projectNames({ rows }: TableRows): string[] {
  return rows<[name: string]>('SELECT project FROM projects ORDER BY project').map(([name]) => name)
}

/** Number of rows of a table for which a condition holds; 0 if the database does not have the table. */
export function countRows(driver: StoreDriver, table: string, where = 'true'): number {
  if (driver.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) === undefined) return 0
  return numberOf(driver.prepare(`SELECT count(*) FROM ${table} WHERE ${where}`).get())
}

/** The number that an expression without a table, or an aggregate, returns. */
function numberOf(row: readonly [number] | undefined): number {
  if (row === undefined) throw new Error('SQLite returned no row')
  return row[0]
}
