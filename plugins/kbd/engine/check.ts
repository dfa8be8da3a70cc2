/** `check`: everything folded again from the commands, in a database of its own, and compared row by row. */
import type { CommandEnvelope } from '../api.ts'
import { createKbdLedger, type LedgerParts } from './ledger.ts'
import { createSql, type Sql, type SqlDriver, type SqlValue } from './parts.ts'

/** The first difference that a check found. */
export interface KbdDamage {
  /** Null where the difference is in no project that there is. */
  readonly project: string | null
  readonly table: string
  /** What identifies the row within its table; null where there are commands of no project. */
  readonly key: string | null
}

/** What follows from the commands: each table with the columns of its key, by which rows are ordered, and the others. */
const DERIVED: Readonly<Record<string, readonly [key: string, others: string]>> = {
  kbd_commands: ['p, pos', 'id, command_id, signer, issued_at_ms, parents, unseen, hops, derived, envelope'],
  kbd_projects: ['p', 'project, root, revision, head_count'],
  kbd_tips: ['p, owner, id', 'pos'],
  kbd_entries: ['p, entity, name, pos', 'value'],
  kbd_views: ['p, map, id', 'json, archived, a, b'],
  kbd_claims: [
    'p, card, pos',
    'id, claim_id, device, agent, tie, generation, ordinal, lost, ended, released, expires_at_ms',
  ],
  kbd_releases: ['p, claim, pos', 'p'],
  kbd_names: ['hash, p, entity', 'hidden'],
}

/** Commands that are read at once. */
const PAGE = 256

/**
 * Compares what the store says with what its commands say. `scratch` is an empty database. Gives the first difference;
 * undefined where there is none. Signatures are not looked at: an id that does not fit its command is a difference.
 */
export function checkKbd({ driver, codecs, limits }: LedgerParts, scratch: SqlDriver): KbdDamage | undefined {
  const sql = createSql(driver)
  for (const [text] of sql(
    "SELECT sql FROM sqlite_schema WHERE tbl_name LIKE 'kbd~_%' ESCAPE '~' AND sql IS NOT NULL",
  ).all<[text: string]>())
    scratch.exec(text)
  scratch.exec('BEGIN')
  const ledger = createKbdLedger({
    driver: scratch,
    codecs,
    limits,
    audit: { append: (fact) => ({ ...fact, seq: 0, hash: '' }) },
  })
  const [commands] = sql('SELECT count(*) FROM kbd_commands').get<[count: number]>()!
  let read = 0
  for (const [p, project] of sql('SELECT p, project FROM kbd_projects ORDER BY p').all<
    [p: number, project: string]
  >()) {
    for (let last = 0; ; ) {
      const page = sql('SELECT pos, envelope FROM kbd_commands WHERE p = ? AND pos > ? ORDER BY pos LIMIT 0 + ?').all<
        [pos: number, envelope: string]
      >(p, last, PAGE)
      for (const [pos, text] of page) {
        try {
          const envelope = JSON.parse(text) as CommandEnvelope
          const { signature: _, ...signed } = envelope
          const id = codecs.sha256(new TextEncoder().encode(codecs.canonicalText(signed)))
          ledger.admit({ id, project, envelope, text }, Number.MAX_SAFE_INTEGER - limits.windowFutureMs)
        } catch {
          return { project, table: 'kbd_commands', key: `${p} ${pos}` }
        }
        last = pos
        read++
      }
      if (page.length < PAGE) break
    }
  }
  if (read !== commands) return { project: null, table: 'kbd_commands', key: null }
  const again = createSql(scratch)
  for (const [table, [key, others]] of Object.entries(DERIVED)) {
    const damage = compare(sql, again, table, key, others)
    if (damage !== undefined) return damage
  }
  return undefined
}

/** The numbers of projects are compared too: both count them in the order in which they came. */
function compare(one: Sql, other: Sql, table: string, key: string, others: string): KbdDamage | undefined {
  const width = key.split(', ').length
  const select = `SELECT ${key}, ${others} FROM ${table}`
  const order = `ORDER BY ${key} LIMIT ${PAGE}`
  const marks = Array.from({ length: width }, () => '?').join()
  for (let after: readonly SqlValue[] = []; ; ) {
    const where = after.length === 0 ? '' : `WHERE (${key}) > (${marks})`
    const [rows, expected] = [one, other].map((sql) =>
      sql(`${select} ${where} ${order}`).all<readonly SqlValue[]>(...after),
    )
    for (let i = 0; i < Math.max(rows!.length, expected!.length); i++) {
      const [row, other] = [rows![i], expected![i]]
      const differs = row === undefined || row.some((value, column) => value !== other?.[column])
      if (differs) {
        const found = (row ?? other)!.slice(0, width)
        return { project: projectIn(one, found[key.split(', ').indexOf('p')]!), table, key: found.join(' ') }
      }
    }
    if (rows!.length < PAGE) return undefined
    after = rows![rows!.length - 1]!.slice(0, width)
  }
}

/** The project of a number. */
function projectIn(sql: Sql, p: SqlValue): string | null {
  return sql('SELECT project FROM kbd_projects WHERE p = ?').get<[project: string]>(p)?.[0] ?? null
}
