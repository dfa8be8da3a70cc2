/** Converts rows to objects and back. Each row, except those of the outbox, ends with the sum of its other values. */
import type { Device, Frontier, PeerRecord, ReceiptEvent } from '../../api.ts'
import type { OutboxRow, StoredPush } from './api.ts'
import { damagedRow, requireSum } from './row-sum.ts'
import type { DeviceRow, DeviceValues, EventRow, OutboxColumns, ProjectRow, PushRow, PushValues } from './statements.ts'

/** The values of a receipt's columns. */
export function fromPush(push: Omit<StoredPush, 'no'>): PushValues {
  return [
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
  ]
}

/** The last row and its receipt. A receipt is long, and is read once for each acknowledgement of a peer. */
let last: { readonly row: PushRow; readonly push: StoredPush } | undefined

/** The receipt of a row. Throws if the row is not as it was written. */
export function toPush(row: PushRow): StoredPush {
  // An identical row has been checked and parsed before.
  const entry = last
  if (entry !== undefined && row.every((value, i) => value === entry.row[i])) return entry.push
  requireSum(row, 1)
  const push = parsePush(row)
  last = { row, push }
  return push
}

function parsePush(row: PushRow): StoredPush {
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

/** The values of a device's columns. */
export function fromDevice(device: Device): DeviceValues {
  return [
    device.keyId,
    device.deviceId,
    JSON.stringify(device.scopes),
    device.label,
    device.status,
    device.enrolledAtMs,
    device.expiresAtMs,
    device.revokedAtMs,
    device.revokedReason,
  ]
}

/** The device of a row. Throws if the row is not as it was written. */
export function toDevice(row: DeviceRow): Device {
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

/**
 * The events of `count` rows that follow `after` without a gap. Throws if a row is missing, or is not as it was
 * written.
 */
export function toEvents(rows: readonly EventRow[], after: number, count: number): readonly ReceiptEvent[] {
  if (rows.length !== count) throw damagedRow()
  return rows.map((row, i) => {
    requireSum(row)
    if (row[1] !== after + i + 1) throw damagedRow()
    return JSON.parse(row[2]) as ReceiptEvent
  })
}

/** The heads of a project's row. Throws if the row is not as it was written. */
export function toHeads(row: ProjectRow): readonly string[] {
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
