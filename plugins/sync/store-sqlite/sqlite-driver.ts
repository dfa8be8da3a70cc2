/** node:sqlite as a driver, with messages for its error codes. */
import type { DatabaseSync } from 'node:sqlite'
import type { ErrorOptions } from '../../../core/declare/errors.ts'
import { STORAGE_FULL } from '../../../core/kernel/storage-full.ts'
import type { SqlDriver, SqlStatement } from '../../store/api.ts'

/** The driver of a database. */
export function toDriver(database: DatabaseSync): SqlDriver {
  return {
    exec: (sql) => database.exec(sql),
    prepare(sql): SqlStatement {
      const statement = database.prepare(sql)
      statement.setReturnArrays(true)
      return {
        run: statement.run.bind(statement),
        get: statement.get.bind(statement) as SqlStatement['get'],
        all: statement.all.bind(statement) as unknown as SqlStatement['all'],
      }
    },
    close: () => database.close(),
  }
}

/** Result codes of SQLite (sqlite.org/rescode.html). */
const BUSY = 5
const LOCKED = 6
const READ_ONLY = 8
const IO_ERROR = 10
const CORRUPT = 11
const FULL = 13
const CANNOT_OPEN = 14
const NOT_A_DATABASE = 26

const EXPLANATIONS: Readonly<Record<number, ErrorOptions>> = {
  [BUSY]: {
    message: 'Another process holds the receipt store.',
    hint: 'the service tries again; find the process that has sync.db open',
  },
  [READ_ONLY]: { message: 'The receipt store cannot be written.', hint: 'check its permissions and its file system' },
  [IO_ERROR]: { message: 'The disk of the receipt store gives errors.', hint: 'look at the log of the system' },
  [FULL]: {
    message: 'The disk of the receipt store is full.',
    hint: 'make room; nothing else is needed',
    details: { reason: STORAGE_FULL },
  },
  [CANNOT_OPEN]: { message: 'The receipt store cannot be opened.', hint: 'check its permissions' },
  [CORRUPT]: { message: 'The receipt store is damaged.', hint: '`svc store check` and `svc store restore`' },
}

/**
 * Whether an error of SQLite or of the file system means that there is no room, or may mean it: without room for an
 * index in memory SQLite says `disk I/O error`.
 */
export function mayBeFull(error: unknown): boolean {
  const code = codeOf(error)
  return code === FULL || code === IO_ERROR || isNoSpace(error)
}

/** Whether an error of the file system means that the disk or the quota is full. */
export function isNoSpace(error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT'
}

/** Message and hint for an error of SQLite. */
export function explainSqlite(error: unknown): ErrorOptions {
  const code = codeOf(error)
  return EXPLANATIONS[code === LOCKED ? BUSY : code === NOT_A_DATABASE ? CORRUPT : code] ?? {}
}

/** Whether another process has locked the database. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error)
  return code === BUSY || code === LOCKED
}

/**
 * Whether a read-only connection cannot open the file, because the rollback of a killed process has to be finished
 * first.
 */
export function needsRecovery(error: unknown): boolean {
  const code = codeOf(error)
  return code === READ_ONLY || code === CANNOT_OPEN
}

/** The primary result code; 0 if it is no error of SQLite. */
function codeOf(error: unknown): number {
  const code: unknown = typeof error === 'object' && error !== null && 'errcode' in error ? error.errcode : undefined
  return typeof code === 'number' ? code & 0xff : 0
}
