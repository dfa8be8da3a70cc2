/** The database of a host as a driver. Values that a host may not return are refused. */

import { isObject } from '../../../core/kernel/values.ts'
import type { SqlDriver, SqlRow, SqlValue } from '../../store/api.ts'
import type { Callbacks } from '../embedded/callbacks.ts'
import { failHost } from '../embedded/errors.ts'
import { ECHO } from './statements.ts'

/**
 * A synchronous SQLite of the host, on one connection. Each function throws if SQLite reports an error. The engine
 * alone begins and ends its transactions, each inside one synchronous turn, and uses only tables whose names begin with
 * `svc_`.
 */
export interface HostDatabase {
  /** Runs one or more statements without parameters. */
  exec(sql: string): unknown
  /** Runs one statement. Its result is not used. */
  run(sql: string, params: SqlValue[]): unknown
  /** Runs one statement and returns its rows: objects with the columns in their order, or arrays of values. */
  all(sql: string, params: SqlValue[]): readonly unknown[]
}

/** The driver of a host's database. `close` leaves the database open, because it belongs to the app. */
export function toHostDriver(database: HostDatabase, { visit }: Pick<Callbacks, 'visit'>): SqlDriver {
  return {
    exec: (sql) =>
      requireEnd(
        'exec',
        visit(() => database.exec(sql)),
      ),
    prepare(sql) {
      const all = <Row extends SqlRow>(...parameters: readonly SqlValue[]): Row[] => {
        const rows: unknown = visit(() => database.all(sql, [...parameters]))
        if (!Array.isArray(rows)) throw wrong('all', 'a list of rows, synchronously')
        return rows.map(toRow) as Row[]
      }
      return {
        run: (...parameters) =>
          requireEnd(
            'run',
            visit(() => database.run(sql, [...parameters])),
          ),
        get: <Row extends SqlRow>(...parameters: readonly SqlValue[]) => all<Row>(...parameters)[0],
        all,
      }
    },
    close: () => {},
  }
}

/** Throws `ERR_HOST_VALUE` if the database does not return the values that were given to it. */
export function checkValues(driver: Pick<SqlDriver, 'prepare'>): void {
  const values = ['é', Number.MAX_SAFE_INTEGER, null]
  const row = driver.prepare(ECHO).get(...values) ?? []
  if (row.length !== values.length || values.some((value, i) => row[i] !== value))
    throw wrong('all', 'texts, integers up to 2^53 and null as they were given')
}

/** A promise means that the work may not have been done yet. */
function requireEnd(name: string, result: unknown): void {
  if (isObject(result) && typeof (result as { then?: unknown }).then === 'function')
    throw wrong(name, 'its result synchronously, not a promise')
}

function toRow(row: unknown): readonly SqlValue[] {
  if (!isObject(row) && !Array.isArray(row)) throw wrong('all', 'rows that are objects or arrays')
  return Object.values(row as Readonly<Record<string, unknown>>).map(toValue)
}

function toValue(value: unknown): SqlValue {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) return Number(value)
  throw wrong('all', 'texts, numbers and null')
}

function wrong(name: string, must: string): Error {
  return failHost('ERR_HOST_VALUE', { message: `${name}() of the database must give ${must}.` })
}
