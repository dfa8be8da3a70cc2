/** Texts of cards and comments by their SHA-256: what commands name is kept, the rest for a while. */
import { fail } from '../../errors.ts'
import { differ, type EntityEntries, type Entry } from '../fold/registers.ts'
import type { Codecs, KbdLimits, Sql } from '../parts.ts'

/** The texts of a node. */
export interface Content {
  /**
   * Keeps bytes under their hash; false where they were here. Throws `content_mismatch`, `payload_too_large`, or
   * `content_full` where they are not named yet and too many such bytes wait; `origin` has a share of its own.
   */
  put(
    hash: string,
    bytes: Uint8Array,
    nowMs: number,
    origin?: { readonly name: string; readonly bytes: number },
  ): boolean
  /** The bytes; undefined where they are not here, hidden by redaction, or not named by a command of `p`. */
  get(hash: string, p?: number): Uint8Array | undefined
  /** Hashes that commands of a project name and show, but that are not here; at most `limit`. */
  wanted(p: number, limit: number): readonly string[]
  /** Whether commands of a project name a hash, shown or hidden. */
  isNamed(hash: string, p?: number): boolean
  /** Removes bytes that nothing has wanted for the time of grace; at most `limit`. Gives how many. */
  sweep(nowMs: number, limit: number): number
  /** Notes what entries of an entity name, and whether the entity hides it. */
  named(p: number, now: EntityEntries, written: readonly Entry[], nowMs: number): void
}

/**
 * What a text takes in the store: its base64, its row and its names in two indexes, in whole pages of 4 KiB. So many tiny
 * texts are no more than the bound allows either, and are soon summed.
 */
const COST = '(((size + 2) / 3 * 4 + 300 + 4095) / 4096 * 4096)'

/** Makes the texts. */
export function createContent(sql: Sql, codecs: Codecs, limits: KbdLimits): Content {
  const isVisible = (hash: string): boolean =>
    sql('SELECT 1 FROM kbd_names WHERE hash = ? AND hidden = 0 LIMIT 1').get(hash) !== undefined
  const isNamed: Content['isNamed'] = (hash, p) =>
    p === undefined
      ? sql('SELECT 1 FROM kbd_names WHERE hash = ? LIMIT 1').get(hash) !== undefined
      : sql('SELECT 1 FROM kbd_names WHERE hash = ? AND p = ? LIMIT 1').get(hash, p) !== undefined
  const unwantedBytes = (origin: string | undefined): number => {
    const sum = `SELECT coalesce(sum(${COST}), 0) FROM kbd_content WHERE unwanted_since_ms IS NOT NULL`
    const row = origin === undefined ? sql(sum).get() : sql(`${sum} AND origin = ?`).get(origin)
    return row![0] as number
  }
  const judge = (hash: string, nowMs: number): void => {
    if (isVisible(hash)) sql('UPDATE kbd_content SET unwanted_since_ms = NULL WHERE hash = ?').run(hash)
    else
      sql('UPDATE kbd_content SET unwanted_since_ms = ? WHERE hash = ? AND unwanted_since_ms IS NULL').run(nowMs, hash)
  }

  return {
    put(hash, bytes, nowMs, origin) {
      if (bytes.length > limits.maxContentBytes) throw fail('payload_too_large')
      if (codecs.sha256(bytes) !== hash) throw fail('content_mismatch')
      if (sql('SELECT 1 FROM kbd_content WHERE hash = ?').get(hash) !== undefined) return false
      const visible = isVisible(hash)
      if (!visible) {
        const cost = sql(`SELECT ${COST} FROM (SELECT CAST(? AS INTEGER) AS size)`).get<[cost: number]>(
          bytes.length,
        )![0]
        const waiting = cost + unwantedBytes(undefined)
        const share = origin === undefined ? 0 : cost + unwantedBytes(origin.name)
        if (waiting > limits.unnamedContentBytes || share > (origin?.bytes ?? 0)) throw fail('content_full')
      }
      sql('INSERT INTO kbd_content VALUES (?, ?, ?, ?, ?)').run(
        hash,
        bytes.length,
        codecs.toBase64(bytes),
        origin?.name ?? null,
        visible ? null : nowMs,
      )
      return true
    },
    get(hash, p) {
      if (p === undefined ? isNamed(hash) && !isVisible(hash) : !isShownIn(hash, p)) return undefined
      const row = sql('SELECT data FROM kbd_content WHERE hash = ?').get<[data: string]>(hash)
      return row === undefined ? undefined : codecs.fromBase64(row[0])
    },
    wanted: (p, limit) =>
      sql(
        `SELECT DISTINCT hash FROM kbd_names n WHERE p = ? AND hidden = 0
         AND NOT EXISTS (SELECT 1 FROM kbd_content c WHERE c.hash = n.hash) ORDER BY hash LIMIT 0 + ?`,
      )
        .all<[hash: string]>(p, limit)
        .map(([hash]) => hash),
    isNamed,
    sweep(nowMs, limit) {
      return sql(
        `DELETE FROM kbd_content WHERE hash IN (SELECT hash FROM kbd_content WHERE unwanted_since_ms <= ? LIMIT 0 + ?)
         RETURNING 1`,
      ).all(nowMs - limits.contentGraceMs, limit).length
    },
    named(p, { entity, byName }, written, nowMs) {
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
      for (const hash of touched) judge(hash, nowMs)
    },
  }

  function isShownIn(hash: string, p: number): boolean {
    return sql('SELECT 1 FROM kbd_names WHERE hash = ? AND p = ? AND hidden = 0').get(hash, p) !== undefined
  }
}
