/**
 * Adds sums to rows, what a push pins and where it came from, the outbox by peer, and the index of what settles by
 * time. The columns here are those of this migration: a later one that adds columns must not change them.
 */
import type { SqlDriver, SqlRow, SqlValue, StoreDriver } from '../../../../store/api.ts'
import { rowSum } from '../row-sum.ts'

const CHANGES = `
  ALTER TABLE receipts ADD COLUMN frontier TEXT;
  ALTER TABLE receipts ADD COLUMN revision INTEGER;
  ALTER TABLE receipts ADD COLUMN origin TEXT;
  ALTER TABLE receipts ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE events ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE devices ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE projects ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE outbox ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE outbox ADD COLUMN told_code TEXT;
  DROP INDEX outbox_due;
  CREATE INDEX outbox_by_peer ON outbox (endpoint_id, next_attempt_at_ms);
  CREATE INDEX receipts_open ON receipts (broadcast_at_ms) WHERE envelope IS NOT NULL;
`

/**
 * The tables whose rows get a sum: the columns that name a row, and the range of columns that the sum covers in this
 * version.
 */
const SUMMED: readonly [table: string, key: string, from: number, to: number][] = [
  ['receipts', 'no', 1, 17],
  ['events', 'receipt_no, sequence', 0, 3],
  ['devices', 'key_id', 0, 9],
  ['projects', 'project', 0, 2],
]

/** Rows in memory at once. */
const SLICE = 1_000

/** Changes the tables, then writes the sum of every row. */
export function addSums(driver: StoreDriver): void {
  driver.exec(CHANGES)
  addPeerMembers(driver)
  for (const [table, key, from, to] of SUMMED) {
    const keys = key.split(', ').length
    const marks = `(${Array(keys).fill('?').join()})`
    const update = driver.prepare(`UPDATE ${table} SET sum = ? WHERE (${key}) = ${marks}`)
    // SQLite sorts numbers before texts, so that -1 is before every key.
    eachPage(
      driver.prepare(`SELECT * FROM ${table} WHERE (${key}) > ${marks} ORDER BY ${key} LIMIT ${SLICE}`),
      Array<number>(keys).fill(-1),
      (row) => update.run(rowSum(row.slice(from, to)), ...row.slice(0, keys)),
    )
  }
}

/** Entries of peers have two more members, which are null in older entries. */
function addPeerMembers(driver: StoreDriver): void {
  const page = driver.prepare(
    `SELECT no, per_peer FROM receipts WHERE no > ? AND per_peer <> '{}' ORDER BY no LIMIT ${SLICE}`,
  )
  const update = driver.prepare('UPDATE receipts SET per_peer = ? WHERE no = ?')
  eachPage<[no: number, perPeer: string]>(page, [-1], ([no, text]) => {
    const peers = JSON.parse(text) as Record<string, { ack: object | null }>
    for (const [id, { ack, ...record }] of Object.entries(peers)) {
      const more = { ...record, appliedFrontier: null, ack: ack && { auditHead: null, ...ack } }
      peers[id] = more
    }
    update.run(JSON.stringify(peers), no)
  })
}

/** Calls `work` with each row of a table in the order of its key. `before` is a key before the first one. */
function eachPage<Row extends SqlRow>(
  page: ReturnType<SqlDriver['prepare']>,
  before: readonly SqlValue[],
  work: (row: Row) => void,
): void {
  for (let after = before; ; ) {
    const rows = page.all<Row>(...after)
    for (const row of rows) work(row)
    const last = rows[SLICE - 1]
    if (last === undefined) return
    after = last.slice(0, before.length)
  }
}
