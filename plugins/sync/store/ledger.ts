/** The one set of statements over the schema, the same on every driver. */
import type { Device, LocalState, PeerRecord, ReceiptEvent } from '../api.ts'
import type { Ledger, OutboxRow, StoredPush } from './api.ts'
import type { SqlDriver, SqlRow, SqlStatement } from './driver.ts'

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
    push: (pushId) => toPush(sql('SELECT * FROM receipts WHERE push_id = ?').get(pushId)),
    pushByNo: (no) => toPush(sql('SELECT * FROM receipts WHERE no = ?').get(no)),
    events: (no, after, limit) =>
      sql('SELECT event FROM events WHERE receipt_no = ? AND sequence > ? ORDER BY sequence LIMIT ?')
        .all(no, after, limit)
        .map((row) => JSON.parse(row['event'] as string) as ReceiptEvent),
    device: (keyId) => toDevice(sql('SELECT * FROM devices WHERE key_id = ?').get(keyId)),
    devices: () =>
      sql('SELECT * FROM devices ORDER BY enrolled_at_ms, key_id')
        .all()
        .map((row) => toDevice(row)!),
    hasProject: (project) => sql('SELECT 1 AS found FROM projects WHERE project = ?').get(project) !== undefined,
    outboxDue: (nowMs, limit) =>
      sql('SELECT * FROM outbox WHERE next_attempt_at_ms <= ? ORDER BY next_attempt_at_ms LIMIT ?')
        .all(nowMs, limit)
        .map(toOutboxRow),
    outboxOf: (no) => sql('SELECT * FROM outbox WHERE receipt_no = ?').all(no).map(toOutboxRow),
    outboxNextMs: () =>
      (sql('SELECT min(next_attempt_at_ms) AS next FROM outbox').get()?.['next'] as number | null) ?? undefined,
    heads: (project) => {
      const row = sql('SELECT heads FROM projects WHERE project = ?').get(project)
      return row === undefined ? undefined : (JSON.parse(row['heads'] as string) as string[])
    },
    setHeads: (project, heads) =>
      sql('UPDATE projects SET heads = ? WHERE project = ?').run(JSON.stringify(heads), project),
    insertPush: (push) => {
      const row = sql(
        `INSERT INTO receipts (push_id, hash, domain, targets, local_state, per_peer, signer_key_id, signature, envelope,
         last_sequence, created_at_ms, updated_at_ms, broadcast_at_ms) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?) RETURNING no`,
      ).get(
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
      return row!['no'] as number
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

function toPush(row: SqlRow | undefined): StoredPush | undefined {
  if (row === undefined) return undefined
  return {
    no: row['no'] as number,
    pushId: row['push_id'] as string,
    hash: row['hash'] as string,
    domain: row['domain'] as string,
    targets: JSON.parse(row['targets'] as string) as string[],
    localState: row['local_state'] as LocalState,
    perPeer: JSON.parse(row['per_peer'] as string) as Record<string, PeerRecord>,
    signerKeyId: row['signer_key_id'] as string | null,
    signature: row['signature'] as string | null,
    envelope: row['envelope'] as string | null,
    lastSequence: row['last_sequence'] as number,
    createdAtMs: row['created_at_ms'] as number,
    updatedAtMs: row['updated_at_ms'] as number,
    broadcastAtMs: row['broadcast_at_ms'] as number | null,
  }
}

function toDevice(row: SqlRow | undefined): Device | undefined {
  if (row === undefined) return undefined
  const keyId = row['key_id'] as string
  const publicKey = keyId.slice(keyId.indexOf(':') + 1)
  return {
    keyId,
    deviceId: row['device_id'] as string,
    publicKey,
    endpointId: publicKey,
    scopes: JSON.parse(row['scopes'] as string) as string[],
    label: row['label'] as string | null,
    status: row['status'] as Device['status'],
    enrolledAtMs: row['enrolled_at_ms'] as number,
    expiresAtMs: row['expires_at_ms'] as number | null,
    revokedAtMs: row['revoked_at_ms'] as number | null,
    revokedReason: row['revoked_reason'] as string | null,
  }
}

function toOutboxRow(row: SqlRow): OutboxRow {
  return {
    receiptNo: row['receipt_no'] as number,
    endpointId: row['endpoint_id'] as string,
    attempts: row['attempts'] as number,
    nextAttemptAtMs: row['next_attempt_at_ms'] as number,
  }
}
