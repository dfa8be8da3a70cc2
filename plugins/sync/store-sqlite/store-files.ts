/** The files of a store, checked before one of them is opened as a database. */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { fail, failStore } from '../errors.ts'
import { writeOnce } from './durable-files.ts'

/** The write-ahead log beside a store: commits that are not in the file yet. */
export function logPath(path: string): string {
  return `${path}-wal`
}

/** The marker file beside a store, which shows that a store was here. */
function markPath(path: string): string {
  return `${path}.mark`
}

/** Writes the marker file. The service never removes it. */
export function writeMark(path: string): void {
  writeOnce(markPath(path), 'A receipt store of svc is here. Without sync.db beside it, the service does not start.\n')
}

/** The files at the path of a store. */
export interface Survey {
  /** Bytes of the file; 0 if there is none. */
  readonly size: number
  readonly hasMark: boolean
}

/**
 * Looks at the files without opening them as a database. Throws `store_missing` if the store is missing or empty and there is a
 * marker file, or a log without its store. A new store in its place would have forgotten what was acknowledged.
 */
export function survey(path: string): Survey {
  const size = sizeOf(path)
  const hasMark = statSync(markPath(path), { throwIfNoEntry: false }) !== undefined
  if (size === 0 && (hasMark || sizeOf(logPath(path)) > 0)) throw failStore('store_missing')
  return { size, hasMark }
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
 * Remembers which files were opened. SQLite would write on into a file that was deleted, replaced or emptied, and into a deleted
 * log; what is written there is lost at the next start.
 */
export function watchIdentity(path: string): FileIdentity {
  const look = (file: string): { inode: string; size: number } | undefined => {
    const found = statSync(file, { throwIfNoEntry: false })
    return found === undefined ? undefined : { inode: `${found.dev}:${found.ino}`, size: found.size }
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

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
