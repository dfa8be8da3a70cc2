/** The statements over the tables of receipts, the same for every driver. */
import type { Ledger, LedgerReads, RowSums, StoredPush } from './api.ts'
import type { SqlDriver, SqlStatement, SqlValue } from './driver.ts'
import { requireSum } from './row-sum.ts'
import {
  DEVICE_COLUMNS,
  type DeviceRow,
  type EventRow,
  fromDevice,
  fromEvent,
  fromOutboxRow,
  fromPush,
  OUTBOX_COLUMNS,
  type OutboxColumns,
  type ProjectRow,
  PUSH_COLUMNS,
  type PushRow,
  toDevice,
  toEvents,
  toHeads,
  toOutboxRow,
  toPush,
  withSum,
} from './rows.ts'

const SELECT_PUSH = `SELECT no, ${PUSH_COLUMNS}, sum FROM receipts`
const SELECT_DEVICE = `SELECT ${DEVICE_COLUMNS}, sum FROM devices`
/** Rows of the outbox that one statement writes, if there are that many. */
const OUTBOX_ROWS = 16
const SELECT_OUTBOX = `SELECT ${OUTBOX_COLUMNS} FROM outbox`

/** By number of events: the statement that writes them. */
const insertsOfEvents: string[] = []

function insertOfEvents(count: number): string {
  return `INSERT INTO events (receipt_no, sequence, event, sum) VALUES ${Array(count).fill('(?, ?, ?, ?)').join()}`
}

// Composed once, because a text that is composed at each use is hashed at each use.
const SELECT_PUSH_BY_ID = `${SELECT_PUSH} WHERE push_id = ?`
const SELECT_PUSH_BY_NO = `${SELECT_PUSH} WHERE no = ?`
const SELECT_DEVICE_BY_KEY = `${SELECT_DEVICE} WHERE key_id = ?`
const INSERT_PUSH = `INSERT INTO receipts (${PUSH_COLUMNS}, sum) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`

/** Creates the ledger of a database. Each statement is compiled at its first use. */
export function createLedger(driver: SqlDriver): Ledger {
  const prepared = new Map<string, SqlStatement>()
  const sql = (text: string): SqlStatement => {
    let statement = prepared.get(text)
    if (statement === undefined) prepared.set(text, (statement = driver.prepare(text)))
    return statement
  }
  return { ...readsOf(sql), ...writesOf(sql), driver, sums }
}

const sums: RowSums = { add: withSum, check: (row) => requireSum(row) }

type Statements = (text: string) => SqlStatement

function readsOf(sql: Statements): Omit<LedgerReads, 'driver' | 'sums'> & Pick<Ledger, 'heads'> {
  const numbers = (text: string, ...parameters: number[]): number[] =>
    sql(text)
      .all<[no: number]>(...parameters)
      .map(([no]) => no)
  const project = (name: string): ProjectRow | undefined =>
    sql('SELECT project, heads, sum FROM projects WHERE project = ?').get(name)
  return {
    push: (pushId) => toPush(sql(SELECT_PUSH_BY_ID).get<PushRow>(pushId)),
    pushByNo: (no) => toPush(sql(SELECT_PUSH_BY_NO).get<PushRow>(no)),
    preparedPushes: (domain) =>
      sql(`${SELECT_PUSH} WHERE local_state = 'prepared' AND domain = ? ORDER BY no`)
        .all<PushRow>(domain)
        .map((row) => toPush(row)!),
    events: (push, after, limit) =>
      toEvents(
        sql(
          `SELECT receipt_no, sequence, event, sum FROM events WHERE receipt_no = ? AND sequence > ?
           ORDER BY sequence LIMIT 0 + ?`,
        ).all<EventRow>(push.no, after, limit),
        after,
        Math.max(Math.min(push.lastSequence - after, limit), 0),
      ),
    eventBytes: (no) =>
      sql('SELECT coalesce(sum(length(CAST(event AS BLOB)) + 1), 0) FROM events WHERE receipt_no = ?').get<[number]>(
        no,
      )![0],
    device: (keyId) => toDevice(sql(SELECT_DEVICE_BY_KEY).get<DeviceRow>(keyId)),
    devices: () =>
      sql(`${SELECT_DEVICE} ORDER BY enrolled_at_ms, key_id`)
        .all<DeviceRow>()
        .map((row) => toDevice(row)!),
    hasProject: (name) => toHeads(project(name)) !== undefined,
    outboxOf: (no) => sql(`${SELECT_OUTBOX} WHERE receipt_no = ?`).all<OutboxColumns>(no).map(toOutboxRow),
    outboxRow: (no, endpointId) =>
      optional(sql(`${SELECT_OUTBOX} WHERE receipt_no = ? AND endpoint_id = ?`).get<OutboxColumns>(no, endpointId)),
    openSince: (atMs, limit) =>
      numbers(
        `SELECT no FROM receipts WHERE envelope IS NOT NULL AND broadcast_at_ms <= ?
         ORDER BY broadcast_at_ms LIMIT 0 + ?`,
        atMs,
        limit,
      ),
    heads: (name) => toHeads(project(name)),
    rows: (text, ...parameters) => sql(text).all(...parameters),
  }
}

function writesOf(sql: Statements): Omit<Ledger, keyof LedgerReads | 'heads'> {
  const device = (keyId: string) => toDevice(sql(SELECT_DEVICE_BY_KEY).get<DeviceRow>(keyId))
  return {
    setHeads: (project, heads) => {
      const [name, text, sum] = withSum([project, JSON.stringify(heads)])
      sql('UPDATE projects SET heads = ?, sum = ? WHERE project = ?').run(text!, sum!, name!)
    },
    insertPush: (push) => {
      sql(INSERT_PUSH).run(...fromPush(push))
      // RETURNING would create a temporary table with a page cache for each row.
      return sql('SELECT last_insert_rowid()').get<[no: number]>()![0]
    },
    updatePush: (push: StoredPush) => {
      const values = fromPush(push)
      sql(
        `UPDATE receipts SET local_state = ?, per_peer = ?, envelope = ?, last_sequence = ?, updated_at_ms = ?,
         broadcast_at_ms = ?, frontier = ?, revision = ?, sum = ? WHERE no = ?`,
      ).run(
        push.localState,
        values[5]!,
        push.envelope,
        push.lastSequence,
        push.updatedAtMs,
        push.broadcastAtMs,
        values[13]!,
        push.revision,
        values[values.length - 1]!,
        push.no,
      )
    },
    dropPush: (no) => {
      for (const table of ['events', 'outbox']) sql(`DELETE FROM ${table} WHERE receipt_no = ?`).run(no)
      sql('DELETE FROM receipts WHERE no = ?').run(no)
    },
    insertEvents(no, events) {
      const values: SqlValue[] = []
      for (const event of events) values.push(...fromEvent(no, event))
      sql((insertsOfEvents[events.length] ??= insertOfEvents(events.length))).run(...values)
    },
    putOutbox(rows) {
      for (let at = 0; at < rows.length; ) {
        // Two statements are enough for any number of rows.
        const some = rows.slice(at, at + (rows.length - at < OUTBOX_ROWS ? 1 : OUTBOX_ROWS))
        at += some.length
        sql(
          `INSERT OR REPLACE INTO outbox (${OUTBOX_COLUMNS}) VALUES ${some.map(() => '(?, ?, ?, ?, ?, ?)').join()}`,
        ).run(...some.flatMap(fromOutboxRow))
      }
    },
    dropOutbox: (no, endpointId) =>
      sql('DELETE FROM outbox WHERE receipt_no = ? AND endpoint_id = ?').run(no, endpointId),
    enrol: (added, projects) => {
      sql(`INSERT OR REPLACE INTO devices (${DEVICE_COLUMNS}, sum) VALUES (?,?,?,?,?,?,?,?,?,?)`).run(
        ...fromDevice(added),
      )
      for (const project of projects) {
        const [name, heads, sum] = withSum([project, '[]'])
        sql('INSERT INTO projects (project, heads, created_at_ms, sum) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING').run(
          name!,
          heads!,
          added.enrolledAtMs,
          sum!,
        )
      }
    },
    revoke: (keyId, atMs, reason) => {
      const known = device(keyId)
      if (known?.status !== 'active') return
      const values = fromDevice({ ...known, status: 'revoked', revokedAtMs: atMs, revokedReason: reason })
      sql('UPDATE devices SET status = ?, revoked_at_ms = ?, revoked_reason = ?, sum = ? WHERE key_id = ?').run(
        'revoked',
        atMs,
        reason,
        values[values.length - 1]!,
        keyId,
      )
    },
  }
}

function optional(row: OutboxColumns | undefined): ReturnType<typeof toOutboxRow> | undefined {
  return row === undefined ? undefined : toOutboxRow(row)
}
