/**
 * The words of boards in an index of SQLite (FTS5), beside the boards and in the transactions of their commands. All of
 * it follows from them: what is missing is made when the index is opened.
 */
import type { BeforeCommit } from '../../sync/api.ts'
import type { Applied, Board, Card, Change, Column, Comment } from '../api.ts'
import { type Codecs, createSql, type Sql, type SqlDriver } from '../engine/parts.ts'
import type { SearchKind } from './query.ts'

/** The tables; none of them bears the prefix of what follows from commands alone. */
const SCHEMA = `
  CREATE VIRTUAL TABLE IF NOT EXISTS search_words USING fts5(title, body, tokenize = 'unicode61');
  CREATE TABLE IF NOT EXISTS search_rows (
    n INTEGER PRIMARY KEY,
    p INTEGER NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    title TEXT NOT NULL,
    hash TEXT,
    filled INTEGER NOT NULL,
    UNIQUE (p, kind, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS search_rows_waiting ON search_rows (hash) WHERE filled = 0;
  CREATE INDEX IF NOT EXISTS search_rows_filled ON search_rows (hash) WHERE filled = 1 AND hash IS NOT NULL;
  CREATE TABLE IF NOT EXISTS search_projects (p INTEGER PRIMARY KEY, revision INTEGER NOT NULL) STRICT;
`

/**
 * With it, nothing of a text stays in the index once it is redacted. It stays set, and setting it again would have every start
 * wait for the disk.
 */
const SECURE_DELETE = 'secure-delete'

/** The writing side, called inside transactions. */
export interface SearchIndex {
  /** Makes the tables and whatever the index has missed, but for texts. */
  open(): void
  /** Takes up what a command changed. */
  applied(applied: Applied, beforeCommit?: BeforeCommit): void
  /** Takes up a text that has come, for some of the things that name it; whether others may be left. */
  arrived(hash: string): boolean
  /** Takes up some of the texts that are here and not in the index yet; whether there may be more. */
  fill(): boolean
}

/** Makes the index of a database that has the tables of boards. */
export function createSearchIndex(driver: SqlDriver, { fromBase64 }: Pick<Codecs, 'fromBase64'>): SearchIndex {
  const sql = sqlOf(driver)
  /** Things whose words are not those of the index. One that is noted and undone is as it was. */
  const noted = new Set<number>()

  /** Writes the words of what was noted: in the order of the rows, for which FTS5 writes to its own tables only once. */
  const flush = (): void => {
    const all = [...noted].sort((one, other) => one - other)
    noted.clear()
    for (const n of all) {
      sql('DELETE FROM search_words WHERE rowid = ?').run(n)
      const row = sql('SELECT p, title, hash FROM search_rows WHERE n = ?').get<Row>(n)
      if (row === undefined) continue
      const [p, title, hash] = row
      sql('INSERT INTO search_words (rowid, title, body) VALUES (?, ?, ?)').run(n, title, textOf(p, hash) ?? '')
    }
  }

  /** What is searched of a text: its beginning; undefined where it is not here, empty where it is none. */
  const textOf = (p: number, hash: string | null): string | undefined => {
    const row = sql(
      `SELECT substr(data, 1, ${TEXT_CHARS}) FROM kbd_content c WHERE hash = ?1 AND redacted = 0
       AND EXISTS (SELECT 1 FROM kbd_names n WHERE n.hash = ?1 AND n.p = ?2 AND n.hidden = 0)`,
    ).get<[data: string]>(hash, p)
    return row && (decode(fromBase64(row[0])!, row[0].length === TEXT_CHARS) ?? '')
  }

  /** Notes a thing where its words change; whether among them are those of a text. */
  const write = (p: number, map: string, id: string, json: string): boolean => {
    const shown = toShown(map, json)
    if (shown === undefined) return false
    const { kind, title, hash } = shown
    const known = sql('SELECT title, hash, filled FROM search_rows WHERE p = ? AND kind = ? AND id = ?').get<
      [title: string, hash: string | null, filled: number]
    >(p, kind, id)
    // A card that is moved keeps its words.
    if (known?.[0] === title && known[1] === hash) return false
    const isHere = textOf(p, hash) !== undefined
    const [n] = sql(
      `INSERT INTO search_rows (p, kind, id, title, hash, filled) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (p, kind, id) DO UPDATE SET title = excluded.title, hash = excluded.hash, filled = excluded.filled
       RETURNING n`,
    ).get<[n: number]>(p, kind, id, title, hash, hash === null || isHere ? 1 : 0)!
    noted.add(n)
    return isHere || (known !== undefined && known[1] !== null && known[2] === 1)
  }

  /** Takes the words of the texts of a redacted comment out of all that shares them, in any project; whether there were some. */
  const hide = (p: number, commentId: string): boolean => {
    const found = sql(
      `UPDATE search_rows SET filled = 0 WHERE filled = 1 AND hash IS NOT NULL AND hash IN
       (SELECT n.hash FROM kbd_names n JOIN kbd_content c ON c.hash = n.hash
        WHERE n.p = ? AND n.entity = ? AND c.redacted = 1) RETURNING n`,
    ).all<[n: number]>(p, `comment/${commentId}`)
    for (const [n] of found) noted.add(n)
    return found.length > 0
  }

  const stand = (p: number, revision: number): void =>
    sql('INSERT INTO search_projects VALUES (?, ?) ON CONFLICT DO UPDATE SET revision = excluded.revision').run(
      p,
      revision,
    )

  /** Takes up things whose text is here; whether there may be more of them. */
  const take = (waiting: readonly (readonly [n: number])[]): boolean => {
    for (const [n] of waiting) {
      sql('UPDATE search_rows SET filled = 1 WHERE n = ?').run(n)
      noted.add(n)
    }
    flush()
    return waiting.length === TEXTS
  }

  return {
    open() {
      driver.exec(SCHEMA)
      if (sql('SELECT v FROM search_words_config WHERE k = ?').get<[number]>(SECURE_DELETE)?.[0] !== 1)
        sql('INSERT INTO search_words (search_words, rank) VALUES (?, 1)').run(SECURE_DELETE)
      const behind = sql(
        `SELECT k.p, k.revision FROM kbd_projects k LEFT JOIN search_projects s ON s.p = k.p
         WHERE s.revision IS NULL OR s.revision <> k.revision`,
      ).all<[p: number, revision: number]>()
      for (const [p, revision] of behind) {
        // Every row is looked at; those that are as they were cost no more than that.
        for (let after = 0; ; ) {
          const page = sql(
            `SELECT rowid, map, id, json FROM kbd_views WHERE p = ? AND rowid > ? ORDER BY rowid LIMIT ${PAGE}`,
          ).all<[rowid: number, map: string, id: string, json: string]>(p, after)
          for (const [, map, id, json] of page) write(p, map, id, json)
          flush()
          if (page.length < PAGE) break
          after = page.at(-1)![0]
        }
        stand(p, revision)
      }
    },
    applied({ project, revision, changes }, beforeCommit = (work) => work()) {
      const p = numberOf(sql, project)!
      const shown = changes.filter(({ json }) => json !== null)
      const hasText = shown.map(({ map, id, json }) => write(p, map, id, json!)).includes(true)
      const redacted = shown.filter(({ map, json }) => map === 'comments' && (JSON.parse(json!) as Comment).redacted)
      const hasHidden = redacted.map(({ id }) => hide(p, id)).includes(true)
      stand(p, revision)
      // Many titles are written together; a text is dear, and counts as the work of its own command.
      if (hasText || hasHidden) flush()
      else beforeCommit(flush)
    },
    arrived: (hash) => take(sql(`SELECT n FROM search_rows WHERE hash = ? AND filled = 0 LIMIT ${TEXTS}`).all(hash)),
    fill: () =>
      take(
        sql(
          `SELECT r.n FROM search_rows r JOIN kbd_content c ON c.hash = r.hash WHERE r.filled = 0 AND c.redacted = 0 LIMIT ${TEXTS}`,
        ).all(),
      ),
  }
}

const statements = new WeakMap<SqlDriver, Sql>()

/** The statements of a database: those that write and those that search are compiled once. */
export function sqlOf(driver: SqlDriver): Sql {
  let sql = statements.get(driver)
  if (sql === undefined) statements.set(driver, (sql = createSql(driver)))
  return sql
}

/** Rows that are read at once. */
const PAGE = 256
/** Texts that are taken up at once. */
const TEXTS = 4
/** The base64 of 16 383 bytes, which are searched of a text: to take words out of the index costs far more than to read. */
const TEXT_CHARS = 21_844

type Row = [p: number, title: string, hash: string | null]

interface Shown {
  readonly kind: SearchKind
  readonly title: string
  readonly hash: string | null
}

/** What can be found of a thing; undefined for what cannot. Labels stand with the title of their card. */
function toShown(map: Change['map'] | string, json: string): Shown | undefined {
  switch (map) {
    case 'boards':
      return { kind: 'board', title: (JSON.parse(json) as Board).title ?? '', hash: null }
    case 'columns':
      return { kind: 'column', title: (JSON.parse(json) as Column).title ?? '', hash: null }
    case 'cards': {
      const { title, labels, bodyHash } = JSON.parse(json) as Card
      return { kind: 'card', title: [title ?? '', ...labels].join('\n'), hash: bodyHash }
    }
    case 'comments':
      return { kind: 'comment', title: '', hash: (JSON.parse(json) as Comment).bodyHash }
    default:
      return undefined
  }
}

/** The number of a project; undefined where it has no commands. */
export function numberOf(sql: Sql, project: string): number | undefined {
  return sql('SELECT p FROM kbd_projects WHERE project = ?').get<[p: number]>(project)?.[0]
}

/** Undefined where bytes are no UTF-8; those of a beginning may end within a character. */
function decode(bytes: Uint8Array, isBeginning: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isBeginning })
  } catch {
    return undefined
  }
}
