/** The receipt store of the server: a SQLite file through node:sqlite, WAL with synchronous FULL. */

import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { StorePart } from '../../../core/declare/capabilities.ts'
import type { ErrorOptions, SvcError } from '../../../core/declare/errors.ts'
import type { SqlDriver } from '../../store/api.ts'
import { chainOf } from '../engine/audit/audited.ts'
import type { ReceiptStore } from '../engine/store/api.ts'
import { createGroupedStore } from '../engine/store/group-commit.ts'
import { toOpenStore } from '../engine/store/open-store.ts'
import { type Migrations, toSchema } from '../engine/store/schema.ts'
import { createMarkRenewal } from './mark-renewal.ts'
import { nativeSha256 } from './native-sha256.ts'
import { failedAt, noRoom, openFile, openWithoutRoom } from './open-file.ts'
import { type SharedReads, shareReads } from './shared-reads.ts'
import { explainSqlite, isBusy, mayBeFull } from './sqlite-driver.ts'
import { emptyLog } from './statements.ts'
import { hasRoom } from './storage-folder.ts'
import { type FileIdentity, logPath, sizeOf, watchIdentity } from './store-files.ts'
import { lockStore } from './store-lock.ts'
import { createWritableCheck } from './writable-check.ts'

/** Before reads the identity of the file is checked at most once in this time; before commits it is always checked. */
const VERIFY_EVERY_MS = 100
/** After the store could not be opened, it is not tried again earlier than this. */
const REOPEN_AFTER_MS = 1_000

/** Four times the log between checkpoints. A log is larger only while a reader of an old state keeps it. */
const LOG_BOUND_BYTES = 64 * 1024 * 1024

/** The store's file in the folder of durable state. */
export function storagePath(dir: string): string {
  return join(dir, 'sync.db')
}

/** Options of the file store. */
export interface FileStoreOptions {
  readonly path: string
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number
  /** What the features of this build keep in the store. */
  readonly parts: readonly StorePart[]
}

/** A store on a file; opened by `open`, or by its first use. */
export interface FileStore extends ReceiptStore {
  /**
   * Rejects while nothing can be written: there is no room, or the last write failed and another one does so too. Looks
   * at most once a second.
   */
  checkWritable(): Promise<void>
  /**
   * Throws `store_damaged`, `store_newer`, `store_foreign` or `store_missing`, having changed nothing, and
   * `receipt_store_unavailable` if it cannot be opened for another reason; each error names the path. A file that
   * another process has locked is no error: calls reject with 503, and the store is opened later. On a full disk a
   * store that is there is opened for reading, and for writing once there is room.
   */
  open(): void
  /**
   * As `open`, for the one service of the store: takes its lock until `close`, and renews its mark. Throws
   * `store_locked` too.
   */
  serve(): void
  /**
   * Empties the log if it has outgrown its bound, and once a minute after commits, with a new mark for the store.
   * Returns its size in bytes, and whether another process that reads an old state keeps it from being emptied.
   */
  trimLog(): LogState
}

/** The write-ahead log of a store. */
export interface LogState {
  readonly bytes: number
  readonly held: boolean
}

/** Creates a store on a file, which need not exist yet. */
export function createFileStore(options: FileStoreOptions): FileStore {
  const { path, now, parts } = options
  const schema = toSchema(parts)
  const folder = dirname(path)
  let opened: Opened | undefined
  let failedAtMs = -Infinity
  let failure: unknown
  let verifiedAtMs = -Infinity
  let roomAtMs = -Infinity
  let unlock: (() => void) | undefined
  let renew: ((store: Opened) => void) | undefined
  const explain = (error: unknown): ErrorOptions => {
    if (!mayBeFull(error) || hasRoom(folder)) return explainSqlite(error)
    const { message, hint, details } = noRoom(path) as SvcError
    return { message, ...(hint !== undefined && { hint }), ...(details !== undefined && { details }) }
  }

  const release = (): void => {
    opened?.release()
    opened?.driver.close()
    opened = undefined
  }

  const open = (): Opened => {
    if (opened?.isWithoutRoom === true && now() - roomAtMs >= REOPEN_AFTER_MS) {
      roomAtMs = now()
      // Other processes can use the store again.
      if (hasRoom(folder)) release()
    }
    if (opened !== undefined) return opened
    if (now() - failedAtMs < REOPEN_AFTER_MS) throw failure
    try {
      const { driver, isWithoutRoom } = openDriver(path, schema, unlock !== undefined)
      const store = shareReads(toOpenStore(driver, explain))
      const audit = chainOf(parts, { driver: store.ledger.driver, sha256: nativeSha256 })
      const ledger = { ...store.ledger, audit }
      opened = { ...store, ledger, identity: watchIdentity(path), isWithoutRoom }
      return opened
    } catch (error) {
      // A lock of another process may end at any moment, so that the next try need not wait.
      if (!isBusy(error)) failedAtMs = now()
      failure = error
      throw error
    }
  }

  const store = createGroupedStore({
    open,
    beforeCommit: ({ identity }) => identity.verify(),
    beforeRead({ identity, share }) {
      if (now() - verifiedAtMs >= VERIFY_EVERY_MS) {
        identity.verify()
        verifiedAtMs = now()
      }
      share()
    },
    schedule: (flush) => void setImmediate(flush),
    now,
    sharing: { isBusy, pause },
    explain,
    close: async () => {
      release()
      unlock?.()
      failedAtMs = Infinity
    },
  })
  const writable = createWritableCheck({ store, folder, now, everyMs: REOPEN_AFTER_MS })
  return {
    ...store,
    ...writable,
    open: () => openedAt(path, open),
    serve() {
      unlock = lockAt(path)
      openedAt(path, open)
      renew = createMarkRenewal(path, now)
    },
    trimLog: () => trimLog(path, opened, renew),
  }
}

/** Opens, unless another process has locked the file; other errors name the path. */
function openedAt(path: string, open: () => void): void {
  try {
    open()
  } catch (error) {
    if (!isBusy(error)) throw failedAt(path, error)
  }
}

function lockAt(path: string): () => void {
  try {
    return lockStore(path)
  } catch (error) {
    throw failedAt(path, error)
  }
}

function trimLog(path: string, opened: Opened | undefined, renew?: (store: Opened) => void): LogState {
  if (opened !== undefined) renew?.(opened)
  const bytes = sizeOf(logPath(path))
  if (opened === undefined || opened.isWithoutRoom || bytes <= LOG_BOUND_BYTES) return { bytes, held: false }
  opened.release()
  const held = !emptyLog(opened.driver)
  return { bytes: sizeOf(logPath(path)), held }
}

/** Opens the file; read-only if the disk is full. */
function openDriver(
  path: string,
  schema: Migrations,
  serves: boolean,
): { readonly driver: SqlDriver; readonly isWithoutRoom: boolean } {
  try {
    return { driver: openFile(path, schema, serves), isWithoutRoom: false }
  } catch (error) {
    if (!mayBeFull(error) || hasRoom(dirname(path))) throw error
    return { driver: openWithoutRoom(path, schema), isWithoutRoom: true }
  }
}

/** An open file. */
interface Opened extends SharedReads {
  readonly identity: FileIdentity
  /** Opened on a full disk. */
  readonly isWithoutRoom: boolean
}
