/** Converts rows to objects and back. Each row, except those of the outbox, ends with the sum of its other values. */
import type { Device, Frontier, LocalState, PeerRecord, ReceiptEvent } from '../../api.ts'
import type { OutboxRow, StoredPush } from './api.ts'
import type { SqlValue } from './driver.ts'
import { damagedRow, requireSum, rowSum } from './row-sum.ts'

/** Columns of a receipt that its sum covers. */
export const PUSH_COLUMNS =
  'push_id, hash, domain, targets, local_state, per_peer, signer_key_id, signature, envelope, last_sequence, created_at_ms, updated_at_ms, broadcast_at_ms, frontier, revision, origin'
/** Columns of a device that its sum covers. */
export const DEVICE_COLUMNS =
  'key_id, device_id, scopes, label, status, enrolled_at_ms, expires_at_ms, revoked_at_ms, revoked_reason'
/** Columns of a row of the outbox. It has no sum, because it can be made again from receipts. */
export const OUTBOX_COLUMNS = 'receipt_no, endpoint_id, attempts, next_attempt_at_ms, told, told_code'

/** A receipt: its number, its columns and its sum. */
export type PushRow = readonly [
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
  frontier: string | null,
  revision: number | null,
  origin: string | null,
  sum: number,
]

/** A device: its columns and its sum. */
export type DeviceRow = readonly [
  keyId: string,
  deviceId: string,
  scopes: string,
  label: string | null,
  status: Device['status'],
  enrolledAtMs: number,
  expiresAtMs: number | null,
  revokedAtMs: number | null,
  revokedReason: string | null,
  sum: number,
]

/** An event: its columns and its sum. */
export type EventRow = readonly [receiptNo: number, sequence: number, event: string, sum: number]
/** A project: its columns and its sum. */
export type ProjectRow = readonly [project: string, heads: string, sum: number]
/** A row of the outbox. */
export type OutboxColumns = readonly [
  receiptNo: number,
  endpointId: string,
  attempts: number,
  nextAttemptAtMs: number,
  told: number,
  toldCode: string | null,
]

/** The values of a receipt's columns, followed by their sum. */
export function fromPush(push: Omit<StoredPush, 'no'>): readonly SqlValue[] {
  return withSum([
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
    push.frontier === null ? null : JSON.stringify(push.frontier),
    push.revision,
    push.origin,
  ])
}

/** The last row and its receipt. A receipt is long, and is read once for each acknowledgement of a peer. */
let last: { readonly row: PushRow; readonly push: StoredPush } | undefined

/** The receipt of a row. Throws if the row is not as it was written. */
export function toPush(row: PushRow | undefined): StoredPush | undefined {
  if (row === undefined) return undefined
  // An identical row has been checked and parsed before.
  const known = last
  if (known === undefined || row.some((value, i) => value !== known.row[i])) {
    requireSum(row, 1)
    last = { row, push: readPush(row) }
  }
  return last!.push
}

function readPush(row: PushRow): StoredPush {
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
    frontier: row[14] === null ? null : (JSON.parse(row[14]) as Frontier),
    revision: row[15],
    origin: row[16],
  }
}

/** The values of a device's columns, followed by their sum. */
export function fromDevice(device: Device): readonly SqlValue[] {
  return withSum([
    device.keyId,
    device.deviceId,
    JSON.stringify(device.scopes),
    device.label,
    device.status,
    device.enrolledAtMs,
    device.expiresAtMs,
    device.revokedAtMs,
    device.revokedReason,
  ])
}

/** The device of a row. Throws if the row is not as it was written. */
export function toDevice(row: DeviceRow | undefined): Device | undefined {
  if (row === undefined) return undefined
  requireSum(row)
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

/** The values of an event's columns, followed by their sum. */
export function fromEvent(no: number, event: ReceiptEvent): readonly SqlValue[] {
  return withSum([no, event.sequence, JSON.stringify(event)])
}

/** The events of `count` rows that follow `after` without a gap. Throws if a row is missing, or is not as it was written. */
export function toEvents(rows: readonly EventRow[], after: number, count: number): readonly ReceiptEvent[] {
  if (rows.length !== count) throw damagedRow()
  return rows.map((row, i) => {
    requireSum(row)
    if (row[1] !== after + i + 1) throw damagedRow()
    return JSON.parse(row[2]) as ReceiptEvent
  })
}

/** The heads of a project's row. Throws if the row is not as it was written. */
export function toHeads(row: ProjectRow | undefined): readonly string[] | undefined {
  if (row === undefined) return undefined
  requireSum(row)
  return JSON.parse(row[1]) as string[]
}

/** The values of the columns of the outbox. */
export function fromOutboxRow(row: OutboxRow): OutboxColumns {
  return [row.receiptNo, row.endpointId, row.attempts, row.nextAttemptAtMs, row.told, row.toldCode]
}

/** A row of the outbox. */
export function toOutboxRow(row: OutboxColumns): OutboxRow {
  const [receiptNo, endpointId, attempts, nextAttemptAtMs, told, toldCode] = row
  return { receiptNo, endpointId, attempts, nextAttemptAtMs, told, toldCode }
}

/** Appends the sum of the values to them. */
export function withSum(values: SqlValue[]): readonly SqlValue[] {
  values.push(rowSum(values))
  return values
}
