/** The SQL of texts, with its parameters and rows. `p` is the number of a project, `hash` the SHA-256 of a text. */
import { requireRow, type Sql } from '../sql.ts'

/** One arrival of a text: under a project, from this node or a peer. */
export interface Arrival {
  readonly hash: string
  readonly project: string
  /** The name of the peer; empty for texts of this node. */
  readonly origin: string
  /** The bytes that the text takes in the store. */
  readonly cost: number
  /** Since when no command shows the text in the project; null if one does. */
  readonly unwantedSinceMs: number | null
}

/** A name: an entity that has a text. */
export interface Name {
  readonly hash: string
  readonly p: number
  readonly entity: string
  readonly isHidden: boolean
}

/** The statements of texts. A text is shown by an entity that names and does not hide it. */
export interface ContentStatements {
  isShown(hash: string): boolean
  isShownIn(hash: string, p: number | null): boolean
  isNamed(hash: string): boolean
  isNamedIn(hash: string, p: number): boolean
  /** Hides or shows all names of texts of an entity. Returns the hashes of those that changed. */
  setHidden(p: number, entity: string, isHidden: boolean): readonly string[]
  insertName(name: Name): void
  /** The number of a project; null if it has no commands. */
  numberOf(project: string): number | null
  /** The base64 of a text; undefined if it is not here or redacted. */
  data(hash: string): string | undefined
  /** Whether a text that is here is redacted; undefined if it is not here. */
  isRedacted(hash: string): boolean | undefined
  insert(hash: string, size: number, data: string, unwantedSinceMs: number | null): void
  restore(hash: string, unwantedSinceMs: number | null): void
  redact(hash: string): void
  /** The bytes that a text of this size takes in the store. */
  costOf(size: number): number
  /** The cost of all texts that nothing shows. */
  waiting(): number
  /** The cost of texts of an origin that nothing shows. */
  waitingFrom(origin: string): number
  hasArrival(hash: string, project: string): boolean
  hasArrivalFrom(hash: string, project: string, origin: string): boolean
  /** Whether a text came in under a project, or from an origin. */
  hasArrivalFor(hash: string, project: string, origin: string): boolean
  insertArrival(arrival: Arrival): void
  /**
   * Sets since when nothing shows a text, unless a time is stored already; null clears the time, because something
   * shows the text.
   */
  setUnwanted(hash: string, sinceMs: number | null): void
  /** The same for a text in one project. */
  setUnwantedIn(hash: string, project: string, sinceMs: number | null): void
  /** Hashes that are shown in a project, and that have not come in under it. */
  wanted(p: number, project: string, limit: number): readonly string[]
  /** Removes texts that nothing shows since a time. Returns how many. */
  deleteTexts(untilMs: number, limit: number): number
  /** Removes arrivals of such texts. Returns how many. */
  deleteArrivals(untilMs: number, limit: number): number
}

/**
 * The bytes that a text takes in the store: its base64, its row and its names in two indexes, in whole pages of 4 KiB.
 * So the number of tiny texts is bounded as well, and the sum over all of them is fast.
 */
const COST = '(((size + 2) / 3 * 4 + 300 + 4095) / 4096 * 4096)'

// The texts are constants, because a new string at each call must be hashed to find its prepared statement.
const WAITING = `SELECT coalesce(sum(${COST}), 0) FROM kbd_content WHERE unwanted_since_ms IS NOT NULL`
const COST_OF = `SELECT ${COST} FROM (SELECT CAST(? AS INTEGER) AS size)`
const IS_CHANGE = '(unwanted_since_ms IS NULL) <> (?1 IS NULL)'
const SET_UNWANTED = `UPDATE kbd_content SET unwanted_since_ms = ?1 WHERE hash = ?2 AND ${IS_CHANGE}`
const SET_UNWANTED_IN = `UPDATE kbd_content_ways SET unwanted_since_ms = ?1 WHERE hash = ?2 AND project = ?3 AND ${IS_CHANGE}`

/** Makes the statements of a database. */
export function createContentStatements(sql: Sql): ContentStatements {
  return { ...nameStatements(sql), ...textStatements(sql), ...arrivalStatements(sql) }
}

function nameStatements(sql: Sql) {
  return {
    isShown: (hash) => has(sql('SELECT 1 FROM kbd_names WHERE hash = ? AND hidden = 0 LIMIT 1').get(hash)),
    isShownIn: (hash, p) => has(sql('SELECT 1 FROM kbd_names WHERE hash = ? AND p = ? AND hidden = 0').get(hash, p)),
    isNamed: (hash) => has(sql('SELECT 1 FROM kbd_names WHERE hash = ? LIMIT 1').get(hash)),
    isNamedIn: (hash, p) => has(sql('SELECT 1 FROM kbd_names WHERE hash = ? AND p = ? LIMIT 1').get(hash, p)),
    setHidden(p, entity, isHidden) {
      const hidden = isHidden ? 1 : 0
      return sql('UPDATE kbd_names SET hidden = ? WHERE p = ? AND entity = ? AND hidden <> ? RETURNING hash')
        .all<[hash: string]>(hidden, p, entity, hidden)
        .map(([hash]) => hash)
    },
    insertName: ({ hash, p, entity, isHidden }) =>
      sql('INSERT INTO kbd_names VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING').run(hash, p, entity, isHidden ? 1 : 0),
    numberOf: (project) => sql('SELECT p FROM kbd_projects WHERE project = ?').get<[p: number]>(project)?.[0] ?? null,
  } satisfies Partial<ContentStatements>
}

function textStatements(sql: Sql) {
  return {
    data: (hash) => sql('SELECT data FROM kbd_content WHERE hash = ? AND redacted = 0').get<[data: string]>(hash)?.[0],
    isRedacted(hash) {
      const row = sql('SELECT redacted FROM kbd_content WHERE hash = ?').get<[redacted: number]>(hash)
      return row === undefined ? undefined : row[0] !== 0
    },
    insert: (hash, size, data, since) =>
      sql('INSERT INTO kbd_content VALUES (?, ?, ?, ?, 0)').run(hash, size, data, since),
    restore: (hash, since) =>
      sql('UPDATE kbd_content SET redacted = 0, unwanted_since_ms = ? WHERE hash = ?').run(since, hash),
    redact: (hash) => sql('UPDATE kbd_content SET redacted = 1 WHERE hash = ?').run(hash),
    costOf: (size) => requireRow(sql(COST_OF).get<[cost: number]>(size))[0],
    waiting: () => requireRow(sql(WAITING).get<[bytes: number]>())[0],
    setUnwanted: (hash, sinceMs) => sql(SET_UNWANTED).run(sinceMs, hash),
    deleteTexts: (untilMs, limit) =>
      sql(
        `DELETE FROM kbd_content WHERE hash IN (SELECT hash FROM kbd_content WHERE unwanted_since_ms <= ? LIMIT 0 + ?)
         RETURNING 1`,
      ).all(untilMs, limit).length,
    wanted: (p, project, limit) =>
      sql(
        `SELECT DISTINCT hash FROM kbd_names n WHERE p = ?1 AND hidden = 0
         AND NOT EXISTS (SELECT 1 FROM kbd_content c WHERE c.hash = n.hash AND (c.redacted = 1
           OR EXISTS (SELECT 1 FROM kbd_content_ways w WHERE w.hash = n.hash AND w.project = ?2)))
         ORDER BY hash LIMIT 0 + ?3`,
      )
        .all<[hash: string]>(p, project, limit)
        .map(([hash]) => hash),
  } satisfies Partial<ContentStatements>
}

function arrivalStatements(sql: Sql) {
  return {
    waitingFrom: (origin) =>
      requireRow(
        sql(
          'SELECT coalesce(sum(cost), 0) FROM kbd_content_ways WHERE origin = ? AND unwanted_since_ms IS NOT NULL',
        ).get<[bytes: number]>(origin),
      )[0],
    hasArrival: (hash, project) =>
      has(sql('SELECT 1 FROM kbd_content_ways WHERE hash = ? AND project = ? LIMIT 1').get(hash, project)),
    hasArrivalFrom: (hash, project, origin) =>
      has(
        sql('SELECT 1 FROM kbd_content_ways WHERE hash = ? AND project = ? AND origin = ?').get(hash, project, origin),
      ),
    hasArrivalFor: (hash, project, origin) =>
      has(
        sql('SELECT 1 FROM kbd_content_ways WHERE hash = ? AND (project = ? OR origin = ?) LIMIT 1').get(
          hash,
          project,
          origin,
        ),
      ),
    insertArrival: ({ hash, project, origin, cost, unwantedSinceMs }) =>
      sql('INSERT INTO kbd_content_ways VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING').run(
        hash,
        project,
        origin,
        cost,
        unwantedSinceMs,
      ),
    setUnwantedIn: (hash, project, sinceMs) => sql(SET_UNWANTED_IN).run(sinceMs, hash, project),
    deleteArrivals: (untilMs, limit) =>
      sql(
        `DELETE FROM kbd_content_ways WHERE (hash, project, origin) IN
         (SELECT hash, project, origin FROM kbd_content_ways WHERE unwanted_since_ms <= ? LIMIT 0 + ?) RETURNING 1`,
      ).all(untilMs, limit).length,
  } satisfies Partial<ContentStatements>
}

function has(row: unknown): boolean {
  return row !== undefined
}
