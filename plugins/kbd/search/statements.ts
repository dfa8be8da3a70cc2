/**
 * The SQL of the search, with its parameters and rows. `p` is the number of a project, `n` the number of an indexed
 * thing.
 */
import type { StoreDriver } from '../../store/api.ts'
import { createSql, requireRow, type Sql } from '../engine/sql.ts'
import type { SearchKind } from './query.ts'

/** A thing that can be found: a board, a column, a card or a comment. */
export interface Thing {
  readonly kind: SearchKind
  readonly id: string
  readonly title: string
  /** The SHA-256 of its text; null if it has none. */
  readonly hash: string | null
}

/** The words of a thing as the index has them. */
export interface IndexedThing {
  readonly title: string
  readonly hash: string | null
  /** False while its text is not in the index. */
  readonly isFilled: boolean
}

/** The source of the words of a thing. */
export type WordsRow = readonly [p: number, title: string, hash: string | null]

/** A thing that matches a search, with its rank. */
export type FoundRow = readonly [n: number, p: number, kind: SearchKind, id: string, score: number]

/** A thing of a project as boards store it, with the number of its row. */
export type NumberedView = readonly [rowid: number, map: string, id: string, json: string]

/** The parameters of a ranked search. */
export interface RankedSearch {
  /** In the syntax of FTS5. */
  readonly match: string
  readonly p: number | undefined
  readonly kind: SearchKind | undefined
  readonly limit: number
  /** Only these things; all if undefined. */
  readonly things: readonly number[] | undefined
}

/** The statements that write the index. */
export interface IndexStatements {
  /** The number of a project that has commands. */
  numberOf(project: string): number
  isSecureDelete(): boolean
  /** With this setting, no word of a redacted text stays in the index. The setting is stored in the database. */
  setSecureDelete(): void
  /** The projects whose revision is not that of the index. */
  behind(): readonly (readonly [p: number, revision: number])[]
  setRevision(p: number, revision: number): void
  /** Things of a project after a row, at most `limit`. */
  viewsAfter(p: number, rowid: number, limit: number): readonly NumberedView[]
  thing(p: number, kind: SearchKind, id: string): IndexedThing | undefined
  /** Adds a thing, or replaces its title and text. Returns its number. */
  putThing(p: number, thing: Thing, isFilled: boolean): number
  setFilled(n: number): void
  /** Marks all things that have a redacted text of an entity as not filled. Returns their numbers. */
  unfillRedacted(p: number, entity: string): readonly number[]
  /** Things that have a text and are not filled, at most `limit`. */
  unfilledWith(hash: string, limit: number): readonly number[]
  /** Things that are not filled and whose text is here, at most `limit`. */
  unfilled(limit: number): readonly number[]
  wordsRow(n: number): WordsRow | undefined
  deleteWords(n: number): void
  insertWords(n: number, title: string, body: string): void
  /** The first characters of the base64 of a text that a project shows; undefined if it is not here. */
  dataStart(p: number, hash: string | null): string | undefined
}

/** The statements that search. */
export interface SearchStatements {
  /** The number of a project; undefined if it has no commands. */
  numberOf(project: string): number | undefined
  projectOf(p: number): string
  lastThing(): number
  /** Things that match, in the syntax of FTS5. */
  matching(match: string): readonly number[]
  /** The best of the things that match. */
  ranked(search: RankedSearch): readonly FoundRow[]
  /** The first characters of the title and the text of a thing. */
  texts(n: number): readonly [title: string, body: string]
  /** A thing of a project as JSON text. */
  view(p: number, map: string, id: string): string | undefined
}

/**
 * The characters of the base64 of 16 383 bytes. Only these bytes of a text are indexed, because removing words is
 * expensive.
 */
export const TEXT_CHARS = 21_844
/** Characters of a title with its labels, and of a text, in which a snippet is found. */
const [SNIPPET_TITLE_CHARS, SNIPPET_TEXT_CHARS] = [2_048, 4_096]
const SECURE_DELETE = 'secure-delete'

// The texts are constants, because a new string at each call must be hashed to find its prepared statement.
const NUMBER_OF = 'SELECT p FROM kbd_projects WHERE project = ?'
const DATA_START = `SELECT substr(data, 1, ${TEXT_CHARS}) FROM kbd_content c WHERE hash = ?1 AND redacted = 0
  AND EXISTS (SELECT 1 FROM kbd_names n WHERE n.hash = ?1 AND n.p = ?2 AND n.hidden = 0)`
const TEXTS = `SELECT substr(title, 1, ${SNIPPET_TITLE_CHARS}), substr(body, 1, ${SNIPPET_TEXT_CHARS})
  FROM search_words WHERE rowid = ?`
// With the plus signs SQLite does not query FTS5 again for each thing.
const AMONG = 'AND +r.n IN (SELECT value FROM json_each(?5))'
const RANKED = rankedText('')
const RANKED_AMONG = rankedText(AMONG)

/** Makes the statements that write the index of a database. */
export function createIndexStatements(driver: StoreDriver): IndexStatements {
  const sql = createSql(driver)
  return { ...settingStatements(sql), ...thingStatements(sql), ...wordStatements(sql) }
}

function settingStatements(sql: Sql) {
  return {
    numberOf: (project) => requireRow(sql(NUMBER_OF).get<[p: number]>(project))[0],
    isSecureDelete: () =>
      sql('SELECT v FROM search_words_config WHERE k = ?').get<[value: number]>(SECURE_DELETE)?.[0] === 1,
    setSecureDelete: () => sql('INSERT INTO search_words (search_words, rank) VALUES (?, 1)').run(SECURE_DELETE),
    behind: () =>
      sql(
        `SELECT k.p, k.revision FROM kbd_projects k LEFT JOIN search_projects s ON s.p = k.p
         WHERE s.revision IS NULL OR s.revision <> k.revision`,
      ).all<[p: number, revision: number]>(),
    setRevision: (p, revision) =>
      sql('INSERT INTO search_projects VALUES (?, ?) ON CONFLICT DO UPDATE SET revision = excluded.revision').run(
        p,
        revision,
      ),
  } satisfies Partial<IndexStatements>
}

function thingStatements(sql: Sql) {
  return {
    viewsAfter: (p, rowid, limit) =>
      sql('SELECT rowid, map, id, json FROM kbd_views WHERE p = ? AND rowid > ? ORDER BY rowid LIMIT 0 + ?').all<
        [...NumberedView]
      >(p, rowid, limit),
    thing(p, kind, id) {
      const row = sql('SELECT title, hash, filled FROM search_rows WHERE p = ? AND kind = ? AND id = ?').get<
        [title: string, hash: string | null, filled: number]
      >(p, kind, id)
      return row === undefined ? undefined : { title: row[0], hash: row[1], isFilled: row[2] === 1 }
    },
    putThing: (p, { kind, id, title, hash }, isFilled) =>
      requireRow(
        sql(
          `INSERT INTO search_rows (p, kind, id, title, hash, filled) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT (p, kind, id) DO UPDATE SET title = excluded.title, hash = excluded.hash, filled = excluded.filled
           RETURNING n`,
        ).get<[n: number]>(p, kind, id, title, hash, isFilled ? 1 : 0),
      )[0],
    setFilled: (n) => sql('UPDATE search_rows SET filled = 1 WHERE n = ?').run(n),
    unfillRedacted: (p, entity) =>
      numbers(
        sql(
          `UPDATE search_rows SET filled = 0 WHERE filled = 1 AND hash IS NOT NULL AND hash IN
           (SELECT n.hash FROM kbd_names n JOIN kbd_content c ON c.hash = n.hash
            WHERE n.p = ? AND n.entity = ? AND c.redacted = 1) RETURNING n`,
        ).all(p, entity),
      ),
    unfilledWith: (hash, limit) =>
      numbers(sql('SELECT n FROM search_rows WHERE hash = ? AND filled = 0 LIMIT 0 + ?').all(hash, limit)),
    unfilled: (limit) =>
      numbers(
        sql(
          `SELECT r.n FROM search_rows r JOIN kbd_content c ON c.hash = r.hash
           WHERE r.filled = 0 AND c.redacted = 0 LIMIT 0 + ?`,
        ).all(limit),
      ),
  } satisfies Partial<IndexStatements>
}

function wordStatements(sql: Sql) {
  return {
    wordsRow: (n) => sql('SELECT p, title, hash FROM search_rows WHERE n = ?').get<[...WordsRow]>(n),
    deleteWords: (n) => sql('DELETE FROM search_words WHERE rowid = ?').run(n),
    insertWords: (n, title, body) =>
      sql('INSERT INTO search_words (rowid, title, body) VALUES (?, ?, ?)').run(n, title, body),
    dataStart: (p, hash) => sql(DATA_START).get<[data: string]>(hash, p)?.[0],
  } satisfies Partial<IndexStatements>
}

/** Makes the statements that search a database. */
export function createSearchStatements(driver: StoreDriver): SearchStatements {
  const sql = createSql(driver)
  return {
    numberOf: (project) => sql(NUMBER_OF).get<[p: number]>(project)?.[0],
    projectOf: (p) => requireRow(sql('SELECT project FROM kbd_projects WHERE p = ?').get<[project: string]>(p))[0],
    lastThing: () => requireRow(sql('SELECT coalesce(max(n), 0) FROM search_rows').get<[n: number]>())[0],
    matching: (match) => numbers(sql('SELECT rowid FROM search_words WHERE search_words MATCH ?').all(match)),
    ranked({ match, p, kind, limit, things }) {
      const parameters = [match, p ?? null, kind ?? null, limit]
      return things === undefined
        ? sql(RANKED).all<[...FoundRow]>(...parameters)
        : sql(RANKED_AMONG).all<[...FoundRow]>(...parameters, JSON.stringify(things))
    },
    texts: (n) => requireRow(sql(TEXTS).get<[title: string, body: string]>(n)),
    view: (p, map, id) =>
      sql('SELECT json FROM kbd_views WHERE p = ? AND map = ? AND id = ?').get<[json: string]>(p, map, id)?.[0],
  }
}

function rankedText(among: string): string {
  return `SELECT r.n, r.p, r.kind, r.id, -bm25(search_words) AS score FROM search_words JOIN search_rows r
    ON r.n = search_words.rowid WHERE search_words MATCH ?1 AND (?2 IS NULL OR r.p = ?2) AND (?3 IS NULL OR r.kind = ?3)
    ${among} ORDER BY score DESC, r.id, r.p LIMIT 0 + ?4`
}

function numbers(rows: readonly (readonly [n: number])[]): readonly number[] {
  return rows.map(([n]) => n)
}
