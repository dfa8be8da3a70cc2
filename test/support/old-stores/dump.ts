/** Converts a store file to SQL text and back. */
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Returns all tables, rows, indexes and views of a store as SQL text, with comments at the beginning. */
export function dumpStore(path: string, comments: Readonly<Record<string, string>>): string {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const pragma = (name: string): unknown => Object.values(database.prepare(`PRAGMA ${name}`).get()!)[0]
    // The search index is left out, because it is rebuilt from boards.
    const parts = database
      .prepare(
        `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'search_%'
         ORDER BY type = 'table' DESC, rowid`,
      )
      .all() as { type: string; name: string; sql: string }[]
    const tables = parts.filter(({ type, name }) => type === 'table' && !name.startsWith('sqlite_'))
    const rows = parts.filter(({ type }) => type === 'table').flatMap(({ name }) => rowsOf(database, name))
    const rest = parts.filter(({ type }) => type !== 'table')
    return [
      ...Object.entries(comments).map(([name, value]) => `-- ${name}: ${value}`),
      `PRAGMA application_id = ${pragma('application_id')};`,
      `PRAGMA user_version = ${pragma('user_version')};`,
      ...tables.map(({ sql }) => `${sql};`),
      ...rows,
      ...rest.map(({ sql }) => `${sql};`),
      '',
    ].join('\n')
  } finally {
    database.close()
  }
}

function rowsOf(database: DatabaseSync, table: string): string[] {
  const columns = (database.prepare(`PRAGMA table_info(${table})`).all() as { name: string }[]).map(({ name }) => name)
  const quoted = columns.map((name) => `quote(${name})`).join(" || ',' || ")
  const found = database.prepare(`SELECT ${quoted} AS row FROM ${table}`).all() as { row: string }[]
  return found.map(({ row }) => `INSERT INTO ${table} VALUES(${row});`)
}

/** Creates a store file from SQL text. */
export function restoreDump(file: string, path: string): void {
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = WAL; BEGIN; ${readFileSync(file, 'utf8')} COMMIT;`)
  database.close()
}

/** The comments at the beginning of SQL text. */
export function commentsOf(file: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...readFileSync(file, 'utf8').matchAll(/^-- (\w+): (.+)$/gm)].map(([, name, value]) => [name!, value!]),
  )
}
