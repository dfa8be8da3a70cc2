/**
 * The two forms of a store: in a file of its own its tables have plain names and the head of the file has its marks; in
 * the database of an app its names begin with `svc_` and its marks are rows, because names and head belong to the app.
 */

import type { SqlDriver } from '../../store/api.ts'
import { fileMarks, type StoreMarks } from '../engine/store/schema.ts'
import { failStore } from '../errors.ts'

/** Begins the name of each table, view, index and trigger of a store in the database of an app. */
export const PREFIX = 'svc_'

/** The keys of `svc_meta` that only this form has. */
const VERSION = 'version'
/** The key of `svc_meta` with the token of the engine that opened the database last. */
export const ENGINE = 'engine'

type Raw = Pick<SqlDriver, 'exec' | 'prepare'>

/** Tables, views, indexes and triggers whose names begin with a prefix and that SQL declares. */
function declared(raw: Raw, prefix: string): [type: string, name: string, sql: string][] {
  return raw
    .prepare(
      "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('table', 'index', 'view', 'trigger') AND sql IS NOT NULL AND name NOT GLOB 'sqlite_*' AND substr(name, 1, ?) = ? ORDER BY type DESC, name",
    )
    .all<[string, string, string]>(prefix.length, prefix)
    .map((row) => [...row])
}

/**
 * A driver over the same database whose SQL has the plain names. They get the prefix outside of quoted texts. A column
 * may have the name of a table; a word that may be either is a table after a keyword such as FROM, and a column
 * elsewhere.
 */
export function withPrefix(raw: SqlDriver): SqlDriver {
  const names = new Set(declared(raw, PREFIX).map(([, name]) => name.slice(PREFIX.length)))
  const columns = new Set(columnsOf(raw))
  const rewrite = (sql: string): string => {
    for (const [, name = ''] of sql.matchAll(/\bCREATE (?:UNIQUE )?(?:TABLE|INDEX|VIEW|TRIGGER) (\w+)/g))
      names.add(name)
    for (const [, name = ''] of sql.matchAll(/(?:[(,]|ADD COLUMN)\s*(\w+) (?:TEXT|INTEGER|REAL|BLOB|ANY)\b/g))
      columns.add(name)
    return sql.replace(/'[^']*'|\w+/g, (word, at: number) =>
      names.has(word) && (!columns.has(word) || precedesTable(sql.slice(0, at))) ? PREFIX + word : word,
    )
  }
  return {
    exec: (sql) => raw.exec(rewrite(sql)),
    prepare: (sql) => raw.prepare(rewrite(sql)),
    close: () => raw.close(),
  }
}

/** The names of the columns of all tables with the prefix. */
function columnsOf(raw: Raw): string[] {
  const columns = raw.prepare('SELECT name FROM pragma_table_xinfo(?)')
  return declared(raw, PREFIX).flatMap(([type, table]) =>
    type === 'table' ? columns.all<[string]>(table).map(([name]) => name) : [],
  )
}

/** Whether a text of SQL ends with a keyword that the name of a table follows. */
function precedesTable(before: string): boolean {
  return /\b(?:FROM|JOIN|INTO|UPDATE|TABLE|INDEX|VIEW|TRIGGER|REFERENCES|EXISTS|ON)\s+$/.test(before)
}

/** The marks of a store in the database of an app. */
export function rowMarks(raw: Raw): StoreMarks {
  return {
    read() {
      const tables = declared(raw, PREFIX)
      if (!tables.some(([, name]) => name === `${PREFIX}meta`))
        return { isOurs: false, isEmpty: tables.length === 0, version: 0 }
      const version = Number(metaOf(raw, VERSION))
      return { isOurs: metaOf(raw, 'created_by') === 'svc' && version > 0, isEmpty: false, version }
    },
    write: (_driver, version) =>
      raw.prepare(`INSERT OR REPLACE INTO ${PREFIX}meta VALUES (?, ?)`).run(VERSION, String(version)),
    isWhole: () =>
      declared(raw, PREFIX).every(
        ([type, name]) => type !== 'table' || raw.prepare(`PRAGMA quick_check(${name})`).get()?.[0] === 'ok',
      ),
  }
}

/** The value of a row of `svc_meta`; undefined if there is none. */
export function metaOf(raw: Raw, key: string): unknown {
  return raw.prepare(`SELECT value FROM ${PREFIX}meta WHERE key = ?`).get(key)?.[0]
}

/** Turns a store with plain names into one with the prefix. Does nothing if the database is no file of a store. */
export function toPrefixed(raw: SqlDriver): void {
  const { isOurs, isEmpty, version } = fileMarks.read(raw)
  if (!isOurs || isEmpty) return
  inTransaction(raw, () => {
    rename(raw, '', PREFIX)
    rowMarks(raw).write(raw, version)
    raw.exec('PRAGMA application_id = 0')
    raw.exec('PRAGMA user_version = 0')
  })
}

/** Turns a store with the prefix into one with plain names. Does nothing if the database is no store in this form. */
export function toPlain(raw: SqlDriver): void {
  const { isOurs, version } = rowMarks(raw).read(raw)
  if (!isOurs) return
  const others = declared(raw, '').filter(([, name]) => !name.startsWith(PREFIX))
  // The file of a store belongs to the store alone, which saves and replaces it whole.
  if (others.length > 0) throw failStore('store_foreign')
  inTransaction(raw, () => {
    raw.prepare(`DELETE FROM ${PREFIX}meta WHERE key IN (?, ?)`).run(VERSION, ENGINE)
    rename(raw, PREFIX, '')
    fileMarks.write(raw, version)
  })
}

function rename(raw: Raw, from: string, to: string): void {
  const named = (name: string): string => to + name.slice(from.length)
  for (const [type, name] of declared(raw, from))
    if (type === 'table') raw.exec(`ALTER TABLE ${name} RENAME TO ${named(name)}`)
  // SQLite cannot rename an index, a view or a trigger. Its SQL names the new table already.
  for (const [type, name, sql] of declared(raw, '')) {
    if (type === 'table' || !name.startsWith(from) || (from === '' && name.startsWith(to))) continue
    raw.exec(`DROP ${type} ${name}`)
    raw.exec(sql.replace(/^(CREATE (?:UNIQUE )?(?:INDEX|VIEW|TRIGGER) )\w+/, `$1${named(name)}`))
  }
}

/** Does work in a transaction of its own. If it throws, nothing of it stays. */
export function inTransaction(raw: Pick<SqlDriver, 'exec'>, work: () => void): void {
  raw.exec('BEGIN IMMEDIATE')
  try {
    work()
    raw.exec('COMMIT')
  } catch (error) {
    try {
      raw.exec('ROLLBACK')
    } catch {
      // SQLite has rolled back by itself, as it does on a full disk. The first error has the reason.
    }
    throw error
  }
}
