/** Texts of cards and comments by their SHA-256: what commands name is kept, the rest for a while. */
import { fail } from '../../errors.ts'
import { differ, type EntityEntries, type Entry } from '../fold/registers.ts'
import type { Codecs, KbdLimits, Sql } from '../parts.ts'

/** Where a text comes from; nothing is said of a text that the owner of this node puts. */
export interface TextSource {
  /** The projects that it comes in under. */
  readonly projects: readonly string[]
  /** The peer that hands it in, and the bytes that such texts of it may take while no command names them. */
  readonly peer?: { readonly name: string; readonly bytes: number } | undefined
}

/** Who reads a text: a peer, under a project. */
export interface TextReader {
  readonly project: string
  readonly peer: string
}

/** The texts of a node. */
export interface Content {
  /**
   * Keeps bytes under their hash, and shows them again where a redaction hid them. False where nothing is new: for a peer,
   * where a command of its project shows the text and it came in under that project before. Throws `content_mismatch`,
   * `payload_too_large`, or `content_full` where nothing shows the text yet and too many such bytes wait.
   */
  put(hash: string, bytes: Uint8Array, nowMs: number, from?: TextSource): boolean
  /** The bytes; undefined where they are not here, hidden by a redaction, or not shown by a command of `p`. */
  get(hash: string, p?: number): Uint8Array | undefined
  /**
   * The same for a peer: only bytes that came in under the project, or that the peer has handed in itself. A command that
   * names the hash does not show that its author has the text.
   */
  getFor(hash: string, p: number, reader: TextReader): Uint8Array | undefined
  /** Hashes that commands of a project name and show, and that have not come in under it; at most `limit`. */
  wanted(p: number, project: string, limit: number): readonly string[]
  /** Whether commands of a project name a hash, shown or hidden. */
  isNamed(hash: string, p?: number): boolean
  /** Removes bytes that nothing has wanted for the time of grace; at most `limit`. Gives how many. */
  sweep(nowMs: number, limit: number): number
  /** Notes what entries of an entity name, and whether the entity hides it. */
  named(p: number, project: string, now: EntityEntries, written: readonly Entry[], nowMs: number): void
  /** Notes that a device of this node names a text in a project: peers may read the text there. */
  vouched(project: string, hash: string): void
}

/**
 * What a text takes in the store: its base64, its row and its names in two indexes, in whole pages of 4 KiB. So many tiny
 * texts are no more than the bound allows either, and are soon summed.
 */
const COST = '(((size + 2) / 3 * 4 + 300 + 4095) / 4096 * 4096)'
/** The origin of what this node brought in itself. */
const SELF = ''

/** Makes the texts. */
export function createContent(sql: Sql, codecs: Codecs, limits: KbdLimits): Content {
  const isVisible = (hash: string): boolean =>
    sql('SELECT 1 FROM kbd_names WHERE hash = ? AND hidden = 0 LIMIT 1').get(hash) !== undefined
  const isShownIn = (hash: string, p: number | null): boolean =>
    sql('SELECT 1 FROM kbd_names WHERE hash = ? AND p = ? AND hidden = 0').get(hash, p) !== undefined
  const numberOf = (project: string): number | null =>
    sql('SELECT p FROM kbd_projects WHERE project = ?').get<[p: number]>(project)?.[0] ?? null
  const isNamed: Content['isNamed'] = (hash, p) =>
    p === undefined
      ? sql('SELECT 1 FROM kbd_names WHERE hash = ? LIMIT 1').get(hash) !== undefined
      : sql('SELECT 1 FROM kbd_names WHERE hash = ? AND p = ? LIMIT 1').get(hash, p) !== undefined
  const bytesOf = (hash: string): Uint8Array | undefined => {
    const row = sql('SELECT data FROM kbd_content WHERE hash = ? AND redacted = 0').get<[data: string]>(hash)
    return row === undefined ? undefined : codecs.fromBase64(row[0])
  }
  const judge = (p: number, project: string, hash: string, nowMs: number): void => {
    const note = (table: string, where = ''): string =>
      `UPDATE ${table} SET unwanted_since_ms = ?1 WHERE hash = ?2 ${where} AND (unwanted_since_ms IS NULL) <> (?1 IS NULL)`
    sql(note('kbd_content')).run(isVisible(hash) ? null : nowMs, hash)
    sql(note('kbd_content_ways', 'AND project = ?3')).run(isShownIn(hash, p) ? null : nowMs, hash, project)
  }
  /** Throws where bytes that nothing shows yet would be too many, whether they are here already or not. */
  const requireRoom = (cost: number, peer: TextSource['peer']): void => {
    const [waiting] = sql(`SELECT coalesce(sum(${COST}), 0) FROM kbd_content WHERE unwanted_since_ms IS NOT NULL`).get<
      [bytes: number]
    >()!
    if (cost + waiting > limits.unnamedContentBytes) throw fail('content_full')
    if (peer === undefined) return
    const [share] = sql(
      'SELECT coalesce(sum(cost), 0) FROM kbd_content_ways WHERE origin = ? AND unwanted_since_ms IS NOT NULL',
    ).get<[bytes: number]>(peer.name)!
    if (cost + share > peer.bytes) throw fail('content_full')
  }
  const addWay = (hash: string, project: string, origin: string, cost: number, since: number | null): void =>
    sql('INSERT INTO kbd_content_ways VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING').run(
      hash,
      project,
      origin,
      cost,
      since,
    )
  const hasWay = (hash: string, project: string): boolean =>
    sql('SELECT 1 FROM kbd_content_ways WHERE hash = ? AND project = ? LIMIT 1').get(hash, project) !== undefined
  const isKnownFrom = (hash: string, origin: string, projects: readonly string[]): boolean =>
    projects.every(
      (project) =>
        sql('SELECT 1 FROM kbd_content_ways WHERE hash = ? AND project = ? AND origin = ?').get(
          hash,
          project,
          origin,
        ) !== undefined,
    )

  return {
    put(hash, bytes, nowMs, { projects, peer } = { projects: [] }) {
      if (bytes.length > limits.maxContentBytes) throw fail('payload_too_large')
      if (codecs.sha256(bytes) !== hash) throw fail('content_mismatch')
      const origin = peer?.name ?? SELF
      const known = sql('SELECT redacted FROM kbd_content WHERE hash = ?').get<[redacted: number]>(hash)
      const isHere = known?.[0] === 0
      const shownIn = new Map(projects.map((project) => [project, isShownIn(hash, numberOf(project))]))
      const isShown = peer === undefined ? isVisible(hash) : !projects.some((project) => shownIn.get(project) === false)
      // What a peer learns of a text depends on what came in under its own project alone.
      const isNew = peer === undefined ? !isHere : !isShown || !isHere || !projects.every((one) => hasWay(hash, one))
      const isFree = known !== undefined && (peer === undefined || isKnownFrom(hash, origin, projects))
      const [cost] = sql(`SELECT ${COST} FROM (SELECT CAST(? AS INTEGER) AS size)`).get<[cost: number]>(bytes.length)!
      if (!isShown && !isFree) requireRoom(cost, peer)
      const since = isVisible(hash) ? null : nowMs
      if (known === undefined)
        sql('INSERT INTO kbd_content VALUES (?, ?, ?, ?, 0)').run(hash, bytes.length, codecs.toBase64(bytes), since)
      else if (!isHere)
        sql('UPDATE kbd_content SET redacted = 0, unwanted_since_ms = ? WHERE hash = ?').run(since, hash)
      for (const [project, shown] of shownIn) addWay(hash, project, origin, cost, shown ? null : nowMs)
      return isNew
    },
    get(hash, p) {
      const isHidden = p === undefined ? isNamed(hash) && !isVisible(hash) : !isShownIn(hash, p)
      return isHidden ? undefined : bytesOf(hash)
    },
    getFor(hash, p, { project, peer }) {
      const way = sql('SELECT 1 FROM kbd_content_ways WHERE hash = ? AND (project = ? OR origin = ?) LIMIT 1')
      return isShownIn(hash, p) && way.get(hash, project, peer) !== undefined ? bytesOf(hash) : undefined
    },
    wanted: (p, project, limit) =>
      sql(
        `SELECT DISTINCT hash FROM kbd_names n WHERE p = ?1 AND hidden = 0
         AND NOT EXISTS (SELECT 1 FROM kbd_content c WHERE c.hash = n.hash AND (c.redacted = 1
           OR EXISTS (SELECT 1 FROM kbd_content_ways w WHERE w.hash = n.hash AND w.project = ?2)))
         ORDER BY hash LIMIT 0 + ?3`,
      )
        .all<[hash: string]>(p, project, limit)
        .map(([hash]) => hash),
    isNamed,
    sweep(nowMs, limit) {
      const dueMs = nowMs - limits.contentGraceMs
      const drop = (table: string, key: string): number =>
        sql(
          `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE unwanted_since_ms <= ? LIMIT 0 + ?)
           RETURNING 1`,
        ).all(dueMs, limit).length
      return Math.max(drop('kbd_content', 'hash'), drop('kbd_content_ways', 'hash, project, origin'))
    },
    named(p, project, { entity, byName }, written, nowMs) {
      const redactions = byName.get('redacted') ?? []
      const hidden = redactions.length > 0 && (differ(redactions) || redactions[0]!.value === 'true') ? 1 : 0
      const touched = new Set<string>()
      for (const { name, value } of written) {
        if (name !== 'bodyHash' || value === 'null') continue
        const hash = JSON.parse(value) as string
        sql('INSERT INTO kbd_names VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING').run(hash, p, entity, hidden)
        touched.add(hash)
      }
      if (written.some(({ name }) => name === 'redacted')) {
        const turned = sql('UPDATE kbd_names SET hidden = ? WHERE p = ? AND entity = ? AND hidden <> ? RETURNING hash')
        for (const [hash] of turned.all<[hash: string]>(hidden, p, entity, hidden)) touched.add(hash)
      }
      for (const hash of touched) {
        if (hidden === 1) sql('UPDATE kbd_content SET redacted = 1 WHERE hash = ?').run(hash)
        judge(p, project, hash, nowMs)
      }
    },
    vouched(project, hash) {
      if (isShownIn(hash, numberOf(project))) addWay(hash, project, SELF, 0, null)
    },
  }
}
