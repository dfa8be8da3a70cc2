/**
 * The words of boards in an index of SQLite (FTS5), beside the boards and in the transactions of their commands. All of
 * it follows from them: what is missing is made when the index is opened.
 */
import type { Applied, Board, Card, Change, Column, Comment, Frontier } from '../api.ts'
import { type Codecs, createSql, type Sql, type SqlDriver } from '../engine/parts.ts'
import type { KbdReads } from '../engine/reads.ts'
import { type SearchKind, type SearchQuery, toMatch } from './query.ts'

/**
 * The tables; none of them bears the prefix of what follows from commands alone. With secure-delete, nothing of a text
 * stays in the index once it is redacted.
 */
const SCHEMA = `
  CREATE VIRTUAL TABLE IF NOT EXISTS search_words USING fts5(title, body, tokenize = 'unicode61');
  INSERT INTO search_words (search_words, rank) VALUES ('secure-delete', 1);
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
  CREATE TABLE IF NOT EXISTS search_projects (p INTEGER PRIMARY KEY, revision INTEGER NOT NULL) STRICT;
`

/** One thing that was found. */
export interface SearchResult {
  readonly kind: SearchKind
  readonly id: string
  readonly project: string
  /** Of a comment, that of its card. */
  readonly title: string | null
  /** The words around what was found. */
  readonly snippet: string
  /** Higher is better. */
  readonly score: number
}

/** What a search gives. */
export interface SearchAnswer {
  readonly results: readonly SearchResult[]
  /** Of the project that was searched; null where it was all of them. */
  readonly frontier: Frontier | null
  /** How many heads that project has; null as above. */
  readonly headCount: number | null
}

/** The writing side, called inside transactions. */
export interface SearchIndex {
  /** Makes the tables and whatever the index has missed. */
  open(): void
  /** Takes up what a command changed. */
  applied(applied: Applied): void
  /** Takes up a text that has come. */
  arrived(hash: string): void
}

/** Makes the index of a database that has the tables of boards. */
export function createSearchIndex(driver: SqlDriver, { fromBase64 }: Pick<Codecs, 'fromBase64'>): SearchIndex {
  const sql = sqlOf(driver)

  /** The words of a text; empty where it is not here, or is none. */
  const textOf = (p: number, hash: string | null): { readonly filled: boolean; readonly text: string } => {
    const row = sql(
      `SELECT data FROM kbd_content c WHERE hash = ?1
       AND EXISTS (SELECT 1 FROM kbd_names n WHERE n.hash = ?1 AND n.p = ?2 AND n.hidden = 0)`,
    ).get<[data: string]>(hash, p)
    const text = row === undefined ? undefined : decode(fromBase64(row[0])!)
    return { filled: hash === null || row !== undefined, text: text ?? '' }
  }

  const write = (p: number, map: string, id: string, json: string): void => {
    const shown = toShown(map, json)
    if (shown === undefined) return
    const { kind, title, hash } = shown
    const known = sql('SELECT n, title, hash, filled FROM search_rows WHERE p = ? AND kind = ? AND id = ?').get<
      [n: number, title: string, hash: string | null, filled: number]
    >(p, kind, id)
    // A card that is moved keeps its words.
    if (known?.[1] === title && known[2] === hash) return
    const { filled, text } = textOf(p, hash)
    const [n] = sql(
      `INSERT INTO search_rows (p, kind, id, title, hash, filled) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (p, kind, id) DO UPDATE SET title = excluded.title, hash = excluded.hash, filled = excluded.filled
       RETURNING n`,
    ).get<[n: number]>(p, kind, id, title, hash, filled ? 1 : 0)!
    if (known !== undefined) sql('DELETE FROM search_words WHERE rowid = ?').run(n)
    sql('INSERT INTO search_words (rowid, title, body) VALUES (?, ?, ?)').run(n, title, text)
  }

  const stand = (p: number, revision: number): void =>
    sql('INSERT INTO search_projects VALUES (?, ?) ON CONFLICT DO UPDATE SET revision = excluded.revision').run(
      p,
      revision,
    )

  const arrived = (hash: string): void => {
    const waiting = sql('SELECT n, p, title FROM search_rows WHERE hash = ? AND filled = 0').all<
      [n: number, p: number, title: string]
    >(hash)
    for (const [n, p, title] of waiting) {
      const { filled, text } = textOf(p, hash)
      if (!filled) continue
      sql('UPDATE search_rows SET filled = 1 WHERE n = ?').run(n)
      sql('DELETE FROM search_words WHERE rowid = ?').run(n)
      sql('INSERT INTO search_words (rowid, title, body) VALUES (?, ?, ?)').run(n, title, text)
    }
  }

  return {
    open() {
      driver.exec(SCHEMA)
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
          if (page.length < PAGE) break
          after = page.at(-1)![0]
        }
        stand(p, revision)
      }
      const here = sql(
        'SELECT DISTINCT r.hash FROM search_rows r JOIN kbd_content c ON c.hash = r.hash WHERE r.filled = 0',
      )
      for (const [hash] of here.all<[hash: string]>()) arrived(hash)
    },
    applied({ project, revision, changes }) {
      const p = numberOf(sql, project)!
      for (const { map, id, json } of changes) if (json !== null) write(p, map, id, json)
      stand(p, revision)
    },
    arrived,
  }
}

/** Searches, inside one look at the boards. `reads` are those of the same look. */
export function search(driver: SqlDriver, reads: Pick<KbdReads, 'standing'>, query: SearchQuery): SearchAnswer {
  const sql = sqlOf(driver)
  const { project, kind, limit } = query
  const { frontier, headCount } = project === undefined ? { frontier: null, headCount: null } : reads.standing(project)
  const match = toMatch(query.text)
  const p = project === undefined ? undefined : numberOf(sql, project)
  if (match === undefined || (project !== undefined && p === undefined)) return { results: [], frontier, headCount }
  const { first, all } = match
  // Found once, and looked into for each row: the plus keeps SQLite from asking for all words row by row.
  const more = all === undefined ? '' : 'AND +r.n IN (SELECT rowid FROM search_words WHERE search_words MATCH ?5)'
  const found = sql(
    `SELECT r.n, r.p, r.kind, r.id, -bm25(search_words) AS score FROM search_words JOIN search_rows r
     ON r.n = search_words.rowid WHERE search_words MATCH ?1 AND (?2 IS NULL OR r.p = ?2) AND (?3 IS NULL OR r.kind = ?3)
     ${more} ORDER BY score DESC, r.id, r.p LIMIT ?4`,
  ).all<[n: number, p: number, kind: SearchKind, id: string, score: number]>(
    ...[first, p ?? null, kind ?? null, limit],
    ...(all === undefined ? [] : [all]),
  )
  // The words around are looked for in what is shown, not in all that matches.
  const results = found.map(([n, p, kind, id, score]): SearchResult => {
    const [snippet] = sql(
      `SELECT snippet(search_words, -1, '', '', '…', ${SNIPPET_WORDS}) FROM search_words
       WHERE search_words MATCH ? AND rowid = ?`,
    ).get<[snippet: string]>(first, n)!
    return { kind, id, project: nameOf(sql, p), title: titleOf(sql, p, kind, id), snippet, score }
  })
  return { results, frontier, headCount }
}

/** The statements of each database, compiled once. */
const statements = new WeakMap<SqlDriver, Sql>()

function sqlOf(driver: SqlDriver): Sql {
  let sql = statements.get(driver)
  if (sql === undefined) statements.set(driver, (sql = createSql(driver)))
  return sql
}

/** Rows that are read at once. */
const PAGE = 256
/** Words that a snippet shows at most. */
const SNIPPET_WORDS = 16

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

function titleOf(sql: Sql, p: number, kind: SearchKind, id: string): string | null {
  const view = <T>(map: string, of: string | null): T | undefined => {
    const row = sql('SELECT json FROM kbd_views WHERE p = ? AND map = ? AND id = ?').get<[json: string]>(p, map, of)
    return row === undefined ? undefined : (JSON.parse(row[0]) as T)
  }
  if (kind !== 'comment') return view<{ readonly title: string | null }>(`${kind}s`, id)?.title ?? null
  return view<Card>('cards', view<Comment>('comments', id)?.cardId ?? null)?.title ?? null
}

function numberOf(sql: Sql, project: string): number | undefined {
  return sql('SELECT p FROM kbd_projects WHERE project = ?').get<[p: number]>(project)?.[0]
}

function nameOf(sql: Sql, p: number): string {
  return sql('SELECT project FROM kbd_projects WHERE p = ?').get<[project: string]>(p)![0]
}

/** Undefined where bytes are no UTF-8. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
