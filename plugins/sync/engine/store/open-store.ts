/** An open database whose errors are `receipt_store_unavailable`. */

import { type ErrorOptions, isSvcError } from '../../../../core/declare/errors.ts'
import type { SqlDriver, SqlStatement } from '../../../store/api.ts'
import { fail } from '../../errors.ts'
import type { Ledger } from './api.ts'
import { createLedger } from './ledger.ts'

/** An open database with what grouped commits need. */
export interface OpenStore {
  readonly driver: SqlDriver
  readonly ledger: Ledger
  /** Runs a statement of transaction control, compiled once. */
  readonly control: (sql: string) => void
  /** Runs before the running transaction commits. */
  readonly last: Set<() => void>
}

/** Message and hint for an error of the database. */
export type Explain = (error: unknown) => ErrorOptions

/**
 * Creates an open store. Statements throw `receipt_store_unavailable`; control statements throw the error of SQLite.
 */
export function toOpenStore(driver: SqlDriver, explain?: Explain): OpenStore {
  const prepared = new Map<string, SqlStatement>()
  const last = new Set<() => void>()
  return {
    driver,
    ledger: { ...createLedger(throwingUnavailable(driver, explain)), beforeCommit: (work) => void last.add(work) },
    last,
    control(sql) {
      let statement = prepared.get(sql)
      if (statement === undefined) prepared.set(sql, (statement = driver.prepare(sql)))
      statement.run()
    },
  }
}

/**
 * A driver whose statements throw `receipt_store_unavailable`, so that a family cannot hide a failure of the store
 * behind its own error.
 */
function throwingUnavailable(driver: SqlDriver, explain: Explain | undefined): SqlDriver {
  const throwing =
    <Values extends readonly unknown[], T>(work: (...values: Values) => T) =>
    (...values: Values): T => {
      try {
        return work(...values)
      } catch (error) {
        throw toUnavailable(error, explain)
      }
    }
  const prepare = throwing(driver.prepare)
  return {
    ...driver,
    prepare(sql) {
      const { run, get, all } = prepare(sql)
      return {
        run: throwing(run),
        get: throwing(get) as SqlStatement['get'],
        all: throwing(all) as SqlStatement['all'],
      }
    },
  }
}

/** The error of a store that cannot be used now. An error that is one already stays as it is. */
export function toUnavailable(cause: unknown, explain: Explain | undefined): Error {
  if (isSvcError(cause, 'receipt_store_unavailable')) return cause
  const explained = cause === undefined ? {} : explain?.(cause)
  return fail('receipt_store_unavailable', { cause, headers: { 'retry-after': '1' }, ...explained })
}

/** The error of the database behind a `receipt_store_unavailable`. */
export function causeOf(error: unknown): unknown {
  return isSvcError(error, 'receipt_store_unavailable') ? error.cause : error
}
