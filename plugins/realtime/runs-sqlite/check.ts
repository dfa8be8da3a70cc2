/** Checks stored runs: every row is as it was written, and no event of a log is missing. */
import type { StoreCheckSubject, Tables } from '../../store/api.ts'
import { type Reads, readAppends, readBase, readRunKeys } from './statements.ts'

/** Appends that are read at a time. */
const SLICE = 256

/** Names the runs that are not as they were written. */
export function checkRuns({ driver, sums }: StoreCheckSubject): readonly string[] {
  const rows: Tables['rows'] = (sql, ...parameters) => driver.prepare(sql).all(...parameters)
  const reads = { rows, sums }
  return readRunKeys(reads).flatMap((run) => {
    try {
      return isWhole(reads, run) ? [] : [`run ${run}: events are missing`]
    } catch {
      return [`run ${run}`]
    }
  })
}

/**
 * Whether the log of a run is complete from its base, or from its first event, to its end. Throws for a damaged row.
 */
function isWhole(reads: Reads, run: string): boolean {
  const base = readBase(reads, run)
  // The sequence of the next event; undefined until the first append is read.
  let next: number | undefined
  for (let after = 0; ; ) {
    const appends = readAppends(reads, run, after, SLICE)
    for (const { position, events, head } of appends) {
      after = position
      const { record, gone } = head()
      if (gone) continue
      const first = record.last_seq - events.length + 1
      const begin = base?.epoch === record.epoch ? base.sequence + 1 : 1
      if (next === undefined ? first > begin : first !== next) return false
      next = record.last_seq + 1
    }
    if (appends.length < SLICE) return true
  }
}
