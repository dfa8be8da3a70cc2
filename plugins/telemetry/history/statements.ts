/** The SQL of the history. */
import type { StoreCheckSubject, Tables } from '../../store/api.ts'
import type { Minute } from './minute.ts'

type Row = [minute: number, body: string, sum: number]

const COLUMNS = 'minute, body, sum'

/**
 * Most minutes that are kept: two days. Minutes go by the order in which they were written, not by their age, so that a
 * clock that is ahead for a while removes nothing.
 */
const MOST_MINUTES = 2_880

/** Reads the minutes from `from` to `to`, oldest first. A damaged row is left out: what it was is not known. */
export function readMinutes({ rows, sums }: Tables, from: number, to: number): readonly Minute[] {
  const sql = `SELECT ${COLUMNS} FROM history_minutes WHERE minute BETWEEN ? AND ? ORDER BY minute`
  return rows<Row>(sql, from, to).flatMap((row) => toMinute(row, sums) ?? [])
}

/**
 * Writes a minute that has ended, or an earlier state of it again. Later minutes are removed: they are of a time when
 * the clock was ahead, and would be taken for a record when the clock gets there.
 */
export function putMinute({ rows, sums }: Tables, { minute, ...body }: Minute): void {
  const values = sums.add([minute, JSON.stringify(body)])
  const again = 'ON CONFLICT (minute) DO UPDATE SET body = excluded.body, sum = excluded.sum'
  rows(`INSERT INTO history_minutes (${COLUMNS}) VALUES (?, ?, ?) ${again}`, ...values)
  rows('DELETE FROM history_minutes WHERE minute > ?', minute)
  rows('DELETE FROM history_minutes WHERE no <= (SELECT max(no) FROM history_minutes) - ?', MOST_MINUTES)
}

/** Names the damaged rows of the history. */
export function checkHistory({ driver, sums }: StoreCheckSubject): readonly string[] {
  const rows = driver.prepare(`SELECT ${COLUMNS} FROM history_minutes ORDER BY minute`).all() as readonly Row[]
  return rows.flatMap((row) => (toMinute(row, sums) === undefined ? [`minute ${row[0]} of the history`] : []))
}

function toMinute(row: Row, sums: StoreCheckSubject['sums']): Minute | undefined {
  try {
    sums.check(row)
    return { minute: row[0], ...(JSON.parse(row[1]) as Omit<Minute, 'minute'>) }
  } catch {
    return undefined
  }
}
