/** The files of a store, checked before one of them is opened as a database. */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { fail, failStore } from '../errors.ts'
import { hasMark, requireOwnLog } from './store-mark.ts'

/** The write-ahead log beside a store: commits that are not in the file yet. */
export function logPath(path: string): string {
  return `${path}-wal`
}

/** The files at the path of a store. */
export interface Survey {
  /** Bytes of the file; 0 if there is none. */
  readonly size: number
  readonly hasMark: boolean
}

/**
 * Looks at the files without opening them as a database. Throws `store_missing` if the store is missing or empty and
 * there is a mark file, or a log without its store: a new store in its place would have forgotten what was
 * acknowledged. Throws `store_replaced` if the log is of another file.
 */
export function survey(path: string): Survey {
  const size = sizeOf(path)
  const marked = hasMark(path)
  const logBytes = sizeOf(logPath(path))
  if (size === 0 && (marked || logBytes > 0)) throw failStore('store_missing')
  if (size > 0) requireOwnLog(path, logBytes)
  return { size, hasMark: marked }
}

/** The first bytes of every SQLite file (SQLite file format, section 1.3). */
const HEAD = 'SQLite format 3\0'

/** Throws `store_damaged` for a file that is no SQLite database. */
export function requireDatabaseHead(path: string): void {
  const head = Buffer.alloc(HEAD.length)
  const file = openSync(path, 'r')
  try {
    if (fstatSync(file).size === 0) return
    readSync(file, head, 0, HEAD.length, 0)
  } finally {
    closeSync(file)
  }
  if (head.toString('latin1') !== HEAD) throw failStore('store_damaged')
}

/** Checks whether the files are still those that were opened. */
export interface FileIdentity {
  /** Throws `receipt_store_unavailable` if they are not. */
  verify(): void
}

/**
 * Remembers which files were opened. SQLite would write on into a file that was deleted, replaced or emptied, and into
 * a deleted log; what is written there is lost at the next start.
 */
export function watchIdentity(path: string): FileIdentity {
  const look = (file: string): { inode: string; size: number } | undefined => {
    const stats = statSync(file, { throwIfNoEntry: false })
    return stats === undefined ? undefined : { inode: `${stats.dev}:${stats.ino}`, size: stats.size }
  }
  const store = look(path)
  const log = look(logPath(path))
  return {
    verify() {
      const now = look(path)
      // The file of a store never shrinks, because it is not vacuumed.
      const isSame = now !== undefined && now.inode === store?.inode && now.size >= store.size
      if (isSame && look(logPath(path))?.inode === log?.inode) return
      throw fail('receipt_store_unavailable', {
        message: 'The receipt store was deleted, replaced or emptied under the service.',
        hint: 'put the file back; after `svc store restore`, restart',
        headers: { 'retry-after': '30' },
      })
    },
  }
}

/** Bytes of a file; 0 if there is none. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
