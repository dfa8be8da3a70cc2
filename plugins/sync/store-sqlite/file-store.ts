/** The receipt store of the server: a SQLite file through node:sqlite, WAL with synchronous FULL. */
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { isSvcError } from '../../../core/errors.ts'
import type { ReceiptStore } from '../engine/store/api.ts'
import type { SqlDriver, SqlRow, SqlStatement, SqlValue } from '../engine/store/driver.ts'
import { createGroupedStore, type OpenStore, toOpenStore } from '../engine/store/group-commit.ts'
import { inspect, migrate } from '../engine/store/schema.ts'
import { fail, failStore } from '../errors.ts'
import { loadSqlite } from './load-sqlite.ts'

/** How long a commit waits for another process (the device commands) to end its own. */
const BUSY_TIMEOUT_MS = 2_000
/** Up to this size the whole file is checked for damage when it is opened: half a second at most. */
const DEEP_CHECK_BYTES = 256 * 1024 * 1024
/** 64 MiB of pages: the index of some millions of receipts. */
const CACHE_KIB = 65_536
/** 16 MiB of log between checkpoints: a page of the index that many pushes touch goes to the file once for all of them. */
const CHECKPOINT_PAGES = 4_000
/** Reads look no more often than this whether the file is still the one that was opened; commits look every time. */
const VERIFY_EVERY_MS = 100
/** After a failed opening, the next is not tried earlier than this. */
const REOPEN_AFTER_MS = 1_000

/** The store's file in the folder of durable state. */
export function storagePath(dir: string): string {
  return join(dir, 'sync.db')
}

/** Options of the file store. */
export interface FileStoreOptions {
  readonly path: string
  readonly now: () => number
}

/** A store on a file; opened by `open`, or by its first use. */
export interface FileStore extends ReceiptStore {
  /**
   * Throws `store_damaged`, `store_newer` or `store_foreign`, having changed nothing. A file that cannot be opened for
   * another reason (permissions, a read-only disk) is no error: the store answers 503 and tries again later.
   */
  open(): void
}

/** Makes a store of a file, which need not be there yet. */
export function createFileStore(options: FileStoreOptions): FileStore {
  const { path, now } = options
  let opened: (OpenStore & { identity: FileIdentity }) | undefined
  let failedAtMs = Number.NEGATIVE_INFINITY
  let failure: unknown
  let verifiedAtMs = Number.NEGATIVE_INFINITY

  const open = (): OpenStore & { identity: FileIdentity } => {
    if (opened !== undefined) return opened
    const sinceMs = now() - failedAtMs
    if (sinceMs >= 0 && sinceMs < REOPEN_AFTER_MS) throw failure
    try {
      opened = { ...toOpenStore(openDriver(path)), identity: watchIdentity(path) }
      return opened
    } catch (error) {
      failedAtMs = now()
      failure = error
      throw error
    }
  }

  const store = createGroupedStore({
    open,
    beforeCommit: () => opened!.identity.verify(),
    beforeRead() {
      const sinceMs = now() - verifiedAtMs
      if (sinceMs >= 0 && sinceMs < VERIFY_EVERY_MS) return
      opened!.identity.verify()
      verifiedAtMs = now()
    },
    schedule: (flush) => void setImmediate(flush),
    close: async () => {
      opened?.driver.close()
      opened = undefined
      failedAtMs = Number.POSITIVE_INFINITY
    },
  })
  return {
    ...store,
    open() {
      try {
        open()
      } catch (error) {
        if (isSvcError(error) && error.code in failStore.rows) throw error
      }
    },
  }
}

function openDriver(path: string): SqlDriver {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const existed = existsSync(path)
  if (existed) inspectFile(path)
  else closeSync(openSync(path, 'wx', 0o600))
  const database = new (loadSqlite())(path)
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    const driver = toDriver(database)
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF')
    database.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    if (inspect(driver, false) !== 'current') migrate(driver)
    // Writes nothing, but fails on a file that cannot be written, now and not at the first push.
    database.exec('BEGIN IMMEDIATE; COMMIT')
    return driver
  } catch (error) {
    database.close()
    throw error
  }
}

/** Looks at an existing file through a read-only connection, so that a foreign one is not touched. */
function inspectFile(path: string): void {
  const file = openSync(path, 'r')
  let size: number
  const head = Buffer.alloc(16)
  try {
    size = fstatSync(file).size
    readSync(file, head, 0, 16, 0)
  } finally {
    closeSync(file)
  }
  if (size === 0) return
  if (head.toString('latin1') !== 'SQLite format 3\0') throw failStore('store_damaged')
  const database = new (loadSqlite())(path, { readOnly: true })
  try {
    inspect(toDriver(database), size <= DEEP_CHECK_BYTES)
  } finally {
    database.close()
  }
}

interface FileIdentity {
  verify(): void
}

/**
 * Remembers which file was opened. SQLite goes on writing into a file that was deleted or replaced, and into a deleted
 * log beside it; both would take receipts with them at the next start.
 */
function watchIdentity(path: string): FileIdentity {
  const inodeOf = (file: string): string | undefined => {
    const found = statSync(file, { throwIfNoEntry: false })
    return found === undefined ? undefined : `${found.dev}:${found.ino}`
  }
  const store = inodeOf(path)
  const log = inodeOf(`${path}-wal`)
  return {
    verify() {
      if (inodeOf(path) === store && inodeOf(`${path}-wal`) === log) return
      throw fail('receipt_store_unavailable', {
        message: 'The receipt store was deleted or replaced under the service.',
        hint: 'put the file back, or restart to begin with what is there now',
        headers: { 'retry-after': '30' },
      })
    },
  }
}

function toDriver(database: DatabaseSync): SqlDriver {
  return {
    exec: (sql) => database.exec(sql),
    prepare(sql): SqlStatement {
      const statement = database.prepare(sql)
      statement.setReturnArrays(true)
      return {
        run: (...parameters) => void statement.run(...parameters),
        get: <Row extends SqlRow>(...parameters: readonly SqlValue[]) =>
          statement.get(...parameters) as unknown as Row | undefined,
        all: <Row extends SqlRow>(...parameters: readonly SqlValue[]) =>
          statement.all(...parameters) as unknown as readonly Row[],
      }
    },
    close: () => database.close(),
  }
}
