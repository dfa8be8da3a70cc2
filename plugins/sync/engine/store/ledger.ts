/** Reads and writes the tables of the store as objects, the same for every driver. */
import type { RowSums, SqlDriver, SqlStatement, SqlValue } from '../../../store/api.ts'
import type { Ledger, LedgerReads } from './api.ts'
import { requireSum, rowSum } from './row-sum.ts'
import { fromDevice, fromOutboxRow, fromPush, toDevice, toEvents, toHeads, toOutboxRow, toPush } from './rows.ts'
import {
  deleteOutboxRow,
  deletePush,
  insertEvents,
  insertProject,
  insertPush,
  readDevice,
  readDevices,
  readEventBytes,
  readEvents,
  readOpenNos,
  readOutbox,
  readOutboxRow,
  readPreparedPushes,
  readProject,
  readPush,
  readPushByNo,
  type Sql,
  updateDevice,
  updateProject,
  updatePush,
  writeDevice,
  writeOutbox,
} from './statements.ts'

/** Rows of the outbox that one statement writes, if there are that many. */
const OUTBOX_ROWS = 16

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

const sums: RowSums = { add: (values) => [...values, rowSum(values)], check: (row) => requireSum(row) }

function readsOf(sql: Sql): Omit<LedgerReads, 'driver' | 'sums'> & Pick<Ledger, 'heads'> {
  return {
    push: (pushId) => optional(readPush(sql, pushId), toPush),
    pushByNo: (no) => optional(readPushByNo(sql, no), toPush),
    preparedPushes: (domain) => readPreparedPushes(sql, domain).map(toPush),
    events: (push, after, limit) =>
      toEvents(readEvents(sql, push.no, after, limit), after, Math.max(Math.min(push.lastSequence - after, limit), 0)),
    eventBytes: (no) => readEventBytes(sql, no),
    device: (keyId) => optional(readDevice(sql, keyId), toDevice),
    devices: () => readDevices(sql).map(toDevice),
    hasProject: (name) => optional(readProject(sql, name), toHeads) !== undefined,
    outboxOf: (no) => readOutbox(sql, no).map(toOutboxRow),
    outboxRow: (no, endpointId) => optional(readOutboxRow(sql, no, endpointId), toOutboxRow),
    openSince: (atMs, limit) => readOpenNos(sql, atMs, limit).map(([no]) => no),
    heads: (name) => optional(readProject(sql, name), toHeads),
    rows: (text, ...parameters) => sql(text).all(...parameters),
  }
}

function writesOf(sql: Sql): Omit<Ledger, keyof LedgerReads | 'heads'> {
  return {
    setHeads(project, heads) {
      const text = JSON.stringify(heads)
      updateProject(sql, [project, text, rowSum([project, text])])
    },
    insertPush(push) {
      const values = fromPush(push)
      return insertPush(sql, values, rowSum(values))
    },
    updatePush(push) {
      const values = fromPush(push)
      updatePush(sql, push.no, values, rowSum(values))
    },
    dropPush: (no) => deletePush(sql, no),
    insertEvents(no, events) {
      const values: SqlValue[] = []
      for (const event of events) {
        const text = JSON.stringify(event)
        values.push(no, event.sequence, text, rowSum([no, event.sequence, text]))
      }
      insertEvents(sql, events.length, values)
    },
    putOutbox(rows) {
      for (let at = 0; at < rows.length; ) {
        // Two statements are enough for any number of rows.
        const some = rows.slice(at, at + (rows.length - at < OUTBOX_ROWS ? 1 : OUTBOX_ROWS))
        at += some.length
        writeOutbox(sql, some.length, some.flatMap(fromOutboxRow))
      }
    },
    dropOutbox: (no, endpointId) => deleteOutboxRow(sql, no, endpointId),
    enrol(added, projects) {
      const values = fromDevice(added)
      writeDevice(sql, values, rowSum(values))
      for (const project of projects) insertProject(sql, [project, '[]', rowSum([project, '[]'])], added.enrolledAtMs)
    },
    revoke(keyId, atMs, reason) {
      const device = optional(readDevice(sql, keyId), toDevice)
      if (device?.status !== 'active') return
      const values = fromDevice({ ...device, status: 'revoked', revokedAtMs: atMs, revokedReason: reason })
      updateDevice(sql, values, rowSum(values))
    },
  }
}

/** Converts a row, if there is one. */
function optional<Row, T>(row: Row | undefined, convert: (row: Row) => T): T | undefined {
  return row === undefined ? undefined : convert(row)
}
