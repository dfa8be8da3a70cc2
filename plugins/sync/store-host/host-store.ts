/** The receipt store of embedded hosts in a SQLite of their own. Each commit writes the pages that changed. */

import type { StorePart } from '../../../core/declare/capabilities.ts'
import { type ErrorOptions, isSvcError } from '../../../core/declare/errors.ts'
import type { SqlDriver } from '../../store/api.ts'
import type { Sha256 } from '../api.ts'
import type { Callbacks } from '../embedded/callbacks.ts'
import { failHost } from '../embedded/errors.ts'
import { ENGINE, inTransaction, metaOf, PREFIX, rowMarks, toPrefixed, withPrefix } from '../embedded/schema.ts'
import { chainOf } from '../engine/audit/audited.ts'
import type { ReceiptStore } from '../engine/store/api.ts'
import { createGroupedStore } from '../engine/store/group-commit.ts'
import { type OpenStore, toOpenStore, toUnavailable } from '../engine/store/open-store.ts'
import { inspect, isDamage, type Migrations, migrate, toSchema } from '../engine/store/schema.ts'
import { checkValues, type HostDatabase, toHostDriver } from './database.ts'
import { writeMeta } from './statements.ts'

/**
 * Finds the pushes that are left prepared in a domain, which each push looks for. Without it SQLite reads every
 * receipt. It is no migration, because nothing depends on it: a store that moves to another library keeps it or not.
 */
const PREPARED_INDEX = `CREATE INDEX IF NOT EXISTS ${PREFIX}receipts_prepared ON ${PREFIX}receipts (domain)
  WHERE local_state = 'prepared'`

/** What a database is opened with. */
interface Opening {
  readonly raw: SqlDriver
  readonly schema: Migrations
  readonly parts: readonly StorePart[]
  readonly sha256: Sha256
  /** Names this engine, so that an engine notices a later one on the same database. */
  readonly token: string
}

/**
 * Opens the store. Rejects with `store_damaged`, `store_newer` or `store_foreign`, with `ERR_HOST_VALUE` if the
 * database returns other values than it was given, or with `receipt_store_unavailable` if it cannot be read or written
 * now.
 */
export async function openHostStore(
  database: HostDatabase,
  callbacks: Pick<Callbacks, 'visit' | 'timers'>,
  { sha256, token, parts }: { readonly sha256: Sha256; readonly token: string; readonly parts: readonly StorePart[] },
): Promise<ReceiptStore> {
  const { timers } = callbacks
  const raw = toHostDriver(database, callbacks)
  let opened: ReturnType<typeof withSafeControl>
  try {
    opened = withSafeControl(openDatabase({ raw, schema: toSchema(parts), parts, sha256, token }))
  } catch (error) {
    throw isSvcError(error) ? error : toUnavailable(error, explain)
  }
  return createGroupedStore({
    open() {
      // A transaction that could not be ended would show its writes to reads, and swallow those of the app.
      if (opened.isLeftOpen()) opened.control('ROLLBACK')
      return opened
    },
    beforeCommit() {
      if (metaOf(raw, ENGINE) !== token) throw failHost('ERR_DATABASE_TAKEN')
    },
    schedule: (flush) => void Promise.resolve().then(flush),
    ...(timers !== undefined && {
      sharing: {
        isBusy,
        pause: (delayMs) => new Promise((resolve) => timers.setTimeout(() => resolve(undefined), delayMs)),
      },
    }),
    explain,
    async close() {},
  })
}

function openDatabase({ raw, schema, parts, sha256, token }: Opening): OpenStore {
  checkValues(raw)
  toPrefixed(raw)
  const driver = withPrefix(raw)
  const marks = rowMarks(raw)
  if (inspect(driver, schema, true, marks) !== 'current') migrate(driver, schema, marks)
  inTransaction(raw, () => {
    raw.exec(PREPARED_INDEX)
    writeMeta(raw, ENGINE, token)
  })
  const store = toOpenStore(driver, explain)
  const audit = chainOf(parts, { driver: store.ledger.driver, sha256 })
  return { ...store, ledger: { ...store.ledger, audit } }
}

/** The same store, which remembers whether a transaction of its own may still be open. */
function withSafeControl(store: OpenStore): OpenStore & { isLeftOpen(): boolean } {
  let leftOpen = false
  const control = (sql: string): void => {
    try {
      store.control(sql)
    } catch (error) {
      // SQLite ends a transaction by itself on a full disk. A transaction that begins shows that none was open.
      if (sql !== 'ROLLBACK' || isInTransaction(store)) throw error
    }
    if (sql === 'BEGIN IMMEDIATE') leftOpen = true
    if (sql === 'COMMIT' || sql === 'ROLLBACK') leftOpen = false
  }
  return { ...store, control, isLeftOpen: () => leftOpen }
}

function isInTransaction({ control }: OpenStore): boolean {
  try {
    control('BEGIN IMMEDIATE')
    control('ROLLBACK')
    return false
  } catch {
    return true
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Whether the app has a transaction open, or another connection holds the database. */
function isBusy(error: unknown): boolean {
  return /within a transaction|is locked|SQLITE_BUSY/.test(messageOf(error))
}

/** Message and hint for an error of SQLite, by its text, which is the same in every driver. */
function explain(error: unknown): ErrorOptions {
  const message = messageOf(error)
  if (/within a transaction/.test(message))
    return {
      message: 'The app has a transaction open on the connection of the engine.',
      hint: 'end it before the next call, or give the engine a connection of its own',
    }
  if (isBusy(error)) return { message: 'Another connection holds the database.' }
  if (/disk is full/.test(message))
    return { message: 'The disk of the database is full.', hint: 'make room; nothing else is needed' }
  if (isDamage(error)) return { message: 'The database is damaged.' }
  return isSvcError(error, 'ERR_DATABASE_TAKEN') ? { message: error.message, hint: error.hint } : {}
}
