/** `check`: applies all commands again in a scratch database, and compares the tables row by row. */

import type { SqlValue, StoreDriver } from '../../store/api.ts'
import type { CommandEnvelope } from '../api.ts'
import { createKbdLedger, type LedgerParts } from './ledger.ts'
import { createSql, type Sql } from './sql.ts'
import { countCommands, readEnvelopes, readName, readProjects, readRows, readSchema, type Table } from './statements.ts'

/** The first difference that a check found. */
export interface KbdDamage {
  /** Null if the difference is in no known project. */
  readonly project: string | null
  readonly table: string
  /** The key of the row in its table; null if there are commands without a project. */
  readonly key: string | null
}

/** The tables that are derived from commands. */
const DERIVED: readonly Table[] = [
  {
    name: 'kbd_commands',
    key: ['p', 'pos'],
    others: 'id, command_id, signer, issued_at_ms, parents, unseen, hops, derived, envelope',
  },
  { name: 'kbd_projects', key: ['p'], others: 'project, root, revision, head_count' },
  { name: 'kbd_tips', key: ['p', 'owner', 'id'], others: 'pos' },
  { name: 'kbd_entries', key: ['p', 'entity', 'name', 'pos'], others: 'value' },
  { name: 'kbd_views', key: ['p', 'map', 'id'], others: 'json, archived, a, b' },
  {
    name: 'kbd_claims',
    key: ['p', 'card', 'pos'],
    others: `id, claim_id, device, agent, tie, generation, ordinal, is_force, issued_at_ms, end_ms, last_end_ms, run_end_ms, from_ms, cap_ms,
      void, lost, ended, released, expires_at_ms`,
  },
  { name: 'kbd_claim_entries', key: ['p', 'claim', 'pos'], others: 'issued_at_ms, end_ms' },
  { name: 'kbd_releases', key: ['p', 'claim', 'pos'], others: 'p' },
  { name: 'kbd_names', key: ['hash', 'p', 'entity'], others: 'hidden' },
]

/** Most rows that one statement reads. */
const PAGE = 256

/**
 * Compares the tables of the store with those that its commands make. `scratch` is an empty database. Returns the first
 * difference; undefined if there is none. Signatures are not checked; an id that is not the hash of its command is a
 * difference.
 */
export function checkKbd({ driver, codecs, limits }: LedgerParts, scratch: StoreDriver): KbdDamage | undefined {
  const sql = createSql(driver)
  for (const text of readSchema(sql)) scratch.exec(text)
  scratch.exec('BEGIN')
  const ledger = createKbdLedger({
    driver: scratch,
    codecs,
    limits,
    audit: { append: (fact) => ({ ...fact, seq: 0, hash: '' }) },
  })
  let read = 0
  for (const [p, project] of readProjects(sql)) {
    for (let last = 0; ; ) {
      const page = readEnvelopes(sql, p, last, PAGE)
      for (const [pos, text] of page) {
        try {
          const envelope = JSON.parse(text) as CommandEnvelope
          const { signature: _, ...signed } = envelope
          const id = codecs.sha256(new TextEncoder().encode(codecs.canonicalText(signed)))
          ledger.admit({ id, project, envelope, text }, Number.MAX_SAFE_INTEGER)
        } catch {
          return { project, table: 'kbd_commands', key: `${p} ${pos}` }
        }
        last = pos
        read++
      }
      if (page.length < PAGE) break
    }
  }
  if (read !== countCommands(sql)) return { project: null, table: 'kbd_commands', key: null }
  const again = createSql(scratch)
  for (const table of DERIVED) {
    const damage = compare(sql, again, table)
    if (damage !== undefined) return damage
  }
  return undefined
}

/**
 * Compares a table. The numbers of projects are compared too, because both databases count them in the order of
 * arrival.
 */
function compare(one: Sql, other: Sql, table: Table): KbdDamage | undefined {
  const { key } = table
  for (let after: readonly SqlValue[] = []; ; ) {
    const rows = readRows(one, table, after, PAGE)
    const expected = readRows(other, table, after, PAGE)
    for (const [index, row] of rows.entries()) {
      const counterpart = expected[index]
      if (row.some((value, column) => value !== counterpart?.[column])) return damageOf(one, table, row)
    }
    const missing = expected[rows.length]
    if (missing !== undefined) return damageOf(one, table, missing)
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return undefined
    after = last.slice(0, key.length)
  }
}

function damageOf(sql: Sql, { name, key }: Table, row: readonly SqlValue[]): KbdDamage {
  const keyValues = row.slice(0, key.length)
  return { project: readName(sql, keyValues[key.indexOf('p')] ?? null), table: name, key: keyValues.join(' ') }
}
