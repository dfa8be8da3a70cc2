/** The SQL of runs. */
import type { TableRows, Tables } from '../../store/api.ts'
import type { RunBase, RunHead, RunName, StoredHead } from '../runs/shared/api.ts'

/** What reads need; a check has no more than this. */
export interface Reads extends TableRows {
  readonly sums: Pick<Tables['sums'], 'check'>
}

type Writes = Tables

type AppendRow = [position: number, run: string, gone: number, head: string, events: string, sum: number]

const APPEND = 'position, run, gone, head, events, sum'

/** One append as it is stored. */
export interface StoredAppend {
  readonly position: number
  /** As of `StoredHead`. Read without parsing the head, because thousands of appends are read at once. */
  readonly atMs: StoredHead['atMs']
  /** As `runKey` makes it. */
  readonly run: string
  /** JSON texts. */
  readonly events: readonly string[]
  /** The run as it is after the append. Parsed when it is called. */
  readonly head: () => StoredHead
}

/** How the store names a run. */
export function runKey({ owner: { tenant_id, user_id }, run_id }: RunName): string {
  return JSON.stringify([tenant_id, user_id, run_id])
}

/** The key of every run that has rows in the store. */
export function readRunKeys({ rows }: TableRows): readonly string[] {
  const sql = 'SELECT run FROM run_appends UNION SELECT run FROM run_bases ORDER BY run'
  return rows<[run: string]>(sql).map(([run]) => run)
}

/**
 * The appends of a run after a position, oldest first. @throws SvcError `receipt_store_unavailable` for a damaged row
 */
export function readAppends(reads: Reads, run: string, after: number, limit: number): readonly StoredAppend[] {
  const sql = `SELECT ${APPEND} FROM run_appends WHERE run = ? AND position > ? ORDER BY position LIMIT ?`
  return reads.rows<AppendRow>(sql, run, after, limit).map((row) => toAppend(row, reads.sums))
}

/**
 * The appends of all runs after a position, oldest first. @throws SvcError `receipt_store_unavailable` for a damaged
 * row
 */
export function readNews(reads: Reads, after: number, limit: number): readonly StoredAppend[] {
  const sql = `SELECT ${APPEND} FROM run_appends WHERE position > ? ORDER BY position LIMIT ?`
  return reads.rows<AppendRow>(sql, after, limit).map((row) => toAppend(row, reads.sums))
}

/**
 * What a start reads: the newest head of each run, oldest first, and the names of the runs whose newest row is damaged.
 */
export interface StoredHeads {
  readonly heads: readonly StoredHead[]
  readonly damaged: readonly string[]
  /** The last position that was given out; 0 before the first. */
  readonly position: number
}

/** Reads the newest head of each run. */
export function readHeads({ rows, sums }: Reads): StoredHeads {
  const newest = 'SELECT max(position) FROM run_appends GROUP BY run'
  const heads: StoredHead[] = []
  const damaged: string[] = []
  for (const row of rows<AppendRow>(
    `SELECT ${APPEND} FROM run_appends WHERE position IN (${newest}) ORDER BY position`,
  )) {
    try {
      heads.push(toAppend(row, sums).head())
    } catch {
      damaged.push(row[1])
    }
  }
  const [last] = rows<[number]>("SELECT seq FROM sqlite_sequence WHERE name = 'run_appends'")
  return { heads, damaged, position: last?.[0] ?? 0 }
}

/** The newest position of a run; 0 if the store has nothing of it. */
export function newestPosition({ rows }: TableRows, run: string): number {
  return rows<[number | null]>('SELECT max(position) FROM run_appends WHERE run = ?', run)[0]?.[0] ?? 0
}

/** Adds an append, with the time at which it came in Unix ms, and returns its position. */
export function insertAppend({ rows, sums }: Writes, head: RunHead, events: readonly string[], atMs: number): number {
  const { id, record, bytes, gone } = head
  const text = JSON.stringify({ atMs, id, record, bytes, gone })
  const values = [runKey(record), gone ? 1 : 0, text, events.join('\n')]
  const sql = 'INSERT INTO run_appends (run, gone, head, events, sum) VALUES (?, ?, ?, ?, ?) RETURNING position'
  const [row] = rows<[number]>(sql, ...sums.add(values))
  if (row === undefined) throw new Error('SQLite returned no position')
  return row[0]
}

/** Removes the appends of a run up to and including a position. */
export function deleteAppends({ rows }: TableRows, run: string, upTo: number): void {
  rows('DELETE FROM run_appends WHERE run = ? AND position <= ?', run, upTo)
}

/** The base of a run. @throws SvcError `receipt_store_unavailable` for a damaged row */
export function readBase({ rows, sums }: Reads, run: string): RunBase | undefined {
  const sql = 'SELECT run, epoch, sequence, point, sum FROM run_bases WHERE run = ?'
  const [row] = rows<[run: string, epoch: string, sequence: number, point: string, sum: number]>(sql, run)
  if (row === undefined) return undefined
  sums.check(row)
  const [, epoch, sequence, point] = row
  return { epoch, sequence, point }
}

/** Writes the base of a run in the place of an older one. */
export function writeBase({ rows, sums }: Writes, run: string, { epoch, sequence, point }: RunBase): void {
  const sql = 'INSERT OR REPLACE INTO run_bases (run, epoch, sequence, point, sum) VALUES (?, ?, ?, ?, ?)'
  rows(sql, ...sums.add([run, epoch, sequence, point]))
}

/** Removes the base of a run. */
export function deleteBase({ rows }: TableRows, run: string): void {
  rows('DELETE FROM run_bases WHERE run = ?', run)
}

/** A number that changes when another process writes to the store. */
export function readDataVersion({ rows }: TableRows): number {
  return rows<[version: number]>('PRAGMA data_version')[0]?.[0] ?? 0
}

function toAppend([position, run, gone, head, events, sum]: AppendRow, sums: Reads['sums']): StoredAppend {
  sums.check([run, gone, head, events, sum])
  const [, atMs] = AT_MS.exec(head) ?? []
  return {
    position,
    atMs: atMs === undefined ? undefined : Number(atMs),
    run,
    events: events === '' ? [] : events.split('\n'),
    head: () => ({ ...readHead(head), position }),
  }
}

/** The time of an append, the first member of its head. */
const AT_MS = /^\{"atMs":(\d+)/

function readHead(text: string): Omit<StoredHead, 'position'> {
  const head = JSON.parse(text) as Omit<StoredHead, 'position'>
  return { ...head, record: { ...unwritten, ...head.record } }
}

/** Members of a record that an older version of svc has not written. */
const unwritten = { agent: null, error: null }
