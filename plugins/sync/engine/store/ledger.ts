/** The one set of statements over the schema, the same on every driver. */
import type { Device, LocalState, PeerRecord, ReceiptEvent } from '../../api.ts'
import type { Ledger, OutboxRow, StoredPush } from './api.ts'
import type { SqlDriver, SqlStatement } from './driver.ts'

const PUSH_COLUMNS =
  'push_id, hash, domain, targets, local_state, per_peer, signer_key_id, signature, envelope, last_sequence, created_at_ms, updated_at_ms, broadcast_at_ms'
type PushRow = [
  no: number,
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
]

const DEVICE_COLUMNS =
  'key_id, device_id, scopes, label, status, enrolled_at_ms, expires_at_ms, revoked_at_ms, revoked_reason'
type DeviceRow = [
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

const OUTBOX_COLUMNS = 'receipt_no, endpoint_id, attempts, next_attempt_at_ms'
type OutboxColumns = [receiptNo: number, endpointId: string, attempts: number, nextAttemptAtMs: number]

/** Prepares the statements; each is compiled when it is first used. */
export function createLedger(driver: SqlDriver): Ledger {
  const prepared = new Map<string, SqlStatement>()
  const sql = (text: string): SqlStatement => {
    let statement = prepared.get(text)
    if (statement === undefined) prepared.set(text, (statement = driver.prepare(text)))
    return statement
  }
  const touchProject = (project: string, heads: string, atMs: number): void =>
    sql('INSERT INTO projects VALUES (?, ?, ?) ON CONFLICT DO NOTHING').run(project, heads, atMs)

  return {
    push: (pushId) => toPush(sql(`SELECT no, ${PUSH_COLUMNS} FROM receipts WHERE push_id = ?`).get(pushId)),
    pushByNo: (no) => toPush(sql(`SELECT no, ${PUSH_COLUMNS} FROM receipts WHERE no = ?`).get(no)),
    preparedPushes: (domain) =>
      sql(`SELECT no, ${PUSH_COLUMNS} FROM receipts WHERE local_state = 'prepared' AND domain = ? ORDER BY no`)
        .all<PushRow>(domain)
        .map((row) => toPush(row)!),
    // As one text, which costs a third of a row each; SQLite promises no order of it.
    events: (no, after, limit) => {
      const row = sql(
        `SELECT group_concat(event) FROM
         (SELECT event FROM events WHERE receipt_no = ? AND sequence > ? ORDER BY sequence LIMIT ?)`,
      ).get<[list: string | null]>(no, after, limit)
      const events = JSON.parse(`[${row![0] ?? ''}]`) as ReceiptEvent[]
      return events.sort((one, other) => one.sequence - other.sequence)
    },
    device: (keyId) => toDevice(sql(`SELECT ${DEVICE_COLUMNS} FROM devices WHERE key_id = ?`).get(keyId)),
    devices: () =>
      sql(`SELECT ${DEVICE_COLUMNS} FROM devices ORDER BY enrolled_at_ms, key_id`)
        .all<DeviceRow>()
        .map((row) => toDevice(row)!),
    hasProject: (project) => sql('SELECT 1 FROM projects WHERE project = ?').get(project) !== undefined,
    outboxDue: (nowMs, limit) =>
      sql(`SELECT ${OUTBOX_COLUMNS} FROM outbox WHERE next_attempt_at_ms <= ? ORDER BY next_attempt_at_ms LIMIT ?`)
        .all<OutboxColumns>(nowMs, limit)
        .map(toOutboxRow),
    outboxOf: (no) =>
      sql(`SELECT ${OUTBOX_COLUMNS} FROM outbox WHERE receipt_no = ?`).all<OutboxColumns>(no).map(toOutboxRow),
    outboxNextMs: () =>
      sql('SELECT min(next_attempt_at_ms) FROM outbox').get<[next: number | null]>()?.[0] ?? undefined,
    heads: (project) => {
      const row = sql('SELECT heads FROM projects WHERE project = ?').get<[heads: string]>(project)
      return row === undefined ? undefined : (JSON.parse(row[0]) as string[])
    },
    setHeads: (project, heads) =>
      sql('UPDATE projects SET heads = ? WHERE project = ?').run(JSON.stringify(heads), project),
    insertPush: (push) => {
      const row = sql(`INSERT INTO receipts (${PUSH_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?) RETURNING no`).get<
        [no: number]
      >(
        push.pushId,
        push.hash,
        push.domain,
        JSON.stringify(push.targets),
        push.localState,
        JSON.stringify(push.perPeer),
        push.signerKeyId,
        push.signature,
        push.envelope,
        push.lastSequence,
        push.createdAtMs,
        push.updatedAtMs,
        push.broadcastAtMs,
      )
      return row![0]
    },
    updatePush: (push) =>
      sql(
        `UPDATE receipts SET local_state = ?, per_peer = ?, envelope = ?, last_sequence = ?, updated_at_ms = ?,
         broadcast_at_ms = ? WHERE no = ?`,
      ).run(
        push.localState,
        JSON.stringify(push.perPeer),
        push.envelope,
        push.lastSequence,
        push.updatedAtMs,
        push.broadcastAtMs,
        push.no,
      ),
    dropPush: (no) => {
      for (const [table, column] of [
        ['events', 'receipt_no'],
        ['outbox', 'receipt_no'],
        ['receipts', 'no'],
      ])
        sql(`DELETE FROM ${table} WHERE ${column} = ?`).run(no)
    },
    insertEvents: (no, events) =>
      sql(`INSERT INTO events VALUES ${events.map(() => '(?, ?, ?)').join()}`).run(
        ...events.flatMap((event) => [no, event.sequence, JSON.stringify(event)]),
      ),
    putOutbox: (row) =>
      sql(
        `INSERT INTO outbox VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET attempts = excluded.attempts,
         next_attempt_at_ms = excluded.next_attempt_at_ms`,
      ).run(row.receiptNo, row.endpointId, row.attempts, row.nextAttemptAtMs),
    dropOutbox: (no, endpointId) =>
      sql('DELETE FROM outbox WHERE receipt_no = ? AND endpoint_id = ?').run(no, endpointId),
    enrol: (device, projects) => {
      sql('INSERT INTO devices VALUES (?,?,?,?,?,?,?,?,?)').run(
        device.keyId,
        device.deviceId,
        JSON.stringify(device.scopes),
        device.label,
        device.status,
        device.enrolledAtMs,
        device.expiresAtMs,
        device.revokedAtMs,
        device.revokedReason,
      )
      for (const project of projects) touchProject(project, '[]', device.enrolledAtMs)
    },
    revoke: (keyId, atMs, reason) =>
      sql(
        `UPDATE devices SET status = 'revoked', revoked_at_ms = ?, revoked_reason = ?
         WHERE key_id = ? AND status = 'active'`,
      ).run(atMs, reason, keyId),
  }
}

function toPush(row: PushRow | undefined): StoredPush | undefined {
  if (row === undefined) return undefined
  return {
    no: row[0],
    pushId: row[1],
    hash: row[2],
    domain: row[3],
    targets: JSON.parse(row[4]) as string[],
    localState: row[5],
    perPeer: JSON.parse(row[6]) as Record<string, PeerRecord>,
    signerKeyId: row[7],
    signature: row[8],
    envelope: row[9],
    lastSequence: row[10],
    createdAtMs: row[11],
    updatedAtMs: row[12],
    broadcastAtMs: row[13],
  }
}

function toDevice(row: DeviceRow | undefined): Device | undefined {
  if (row === undefined) return undefined
  const keyId = row[0]
  const publicKey = keyId.slice(keyId.indexOf(':') + 1)
  return {
    keyId,
    deviceId: row[1],
    publicKey,
    endpointId: publicKey,
    scopes: JSON.parse(row[2]) as string[],
    label: row[3],
    status: row[4],
    enrolledAtMs: row[5],
    expiresAtMs: row[6],
    revokedAtMs: row[7],
    revokedReason: row[8],
  }
}

function toOutboxRow([receiptNo, endpointId, attempts, nextAttemptAtMs]: OutboxColumns): OutboxRow {
  return { receiptNo, endpointId, attempts, nextAttemptAtMs }
}
