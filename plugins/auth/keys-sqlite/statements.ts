/** The SQL of API keys. */
import type { StoreCheckSubject, Tables } from '../../store/api.ts'
import type { KeyRecord } from '../api-keys/store/key-store.ts'

type Reads = Tables

type Row = [
  id: string,
  body: string,
  createdAtMs: number,
  expiresAtMs: number,
  lastUsedAtMs: number | null,
  revokedAtMs: number | null,
  sum: number,
]

const COLUMNS = 'id, body, created_at_ms, expires_at_ms, last_used_at_ms, revoked_at_ms, sum'

/** What a store has: the keys, oldest first, and the ids of rows that are damaged. */
export interface StoredKeys {
  readonly records: readonly KeyRecord[]
  readonly damaged: readonly string[]
}

/** Reads all keys. */
export function readKeys({ rows, sums }: Pick<Reads, 'rows'> & Pick<StoreCheckSubject, 'sums'>): StoredKeys {
  return readRows(rows<Row>(`SELECT ${COLUMNS} FROM api_keys ORDER BY no`), sums)
}

function readRows(rows: readonly Row[], sums: StoreCheckSubject['sums']): StoredKeys {
  const records: KeyRecord[] = []
  const damaged: string[] = []
  for (const row of rows) {
    try {
      sums.check(row)
      records.push(toRecord(row))
    } catch {
      damaged.push(row[0])
    }
  }
  return { records, damaged }
}

/** Adds a key. */
export function insertKey({ rows, sums }: Reads, record: KeyRecord): void {
  rows(`INSERT INTO api_keys (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`, ...sums.add(toValues(record)))
}

/**
 * Writes the last use, the end and the revocation of a key. What another process has written stays: a revocation is
 * never undone, and an earlier end too. Changes nothing if the store does not have the key, or its row is damaged.
 */
export function updateKey({ rows, sums }: Reads, record: KeyRecord): void {
  const [stored] = readRows(rows<Row>(`SELECT ${COLUMNS} FROM api_keys WHERE id = ?`, record.id), sums).records
  if (stored === undefined) return
  const lastUsedAtMs = Math.max(stored.lastUsedAtMs ?? 0, record.lastUsedAtMs ?? 0) || null
  const revokedAtMs = stored.revokedAtMs ?? record.revokedAtMs
  const expiresAtMs = Math.min(stored.expiresAtMs, record.expiresAtMs)
  const values = sums.add(toValues({ ...record, expiresAtMs, lastUsedAtMs, revokedAtMs }))
  const sum = values[values.length - 1] ?? null
  rows(
    'UPDATE api_keys SET expires_at_ms = ?, last_used_at_ms = ?, revoked_at_ms = ?, sum = ? WHERE id = ?',
    ...[expiresAtMs, lastUsedAtMs, revokedAtMs, sum, record.id],
  )
}

/** A number that changes when another process writes to the store. */
export function readDataVersion({ rows }: Pick<Reads, 'rows'>): number {
  return rows<[version: number]>('PRAGMA data_version')[0]?.[0] ?? 0
}

/** A text that changes when a key is added, revoked, shortened or removed. */
export function readKeyMark({ rows }: Pick<Reads, 'rows'>): string {
  // The number of a removed row can be given to a new one, but not its id. The sum of whole times could exceed what a
  // number holds.
  const last = 'SELECT id FROM api_keys ORDER BY no DESC LIMIT 1'
  const marks = `max(no), count(*), count(revoked_at_ms), sum(expires_at_ms & 4294967295), (${last})`
  return JSON.stringify(rows<(number | string | null)[]>(`SELECT ${marks} FROM api_keys`)[0])
}

/** Removes a key. */
export function deleteKey({ rows }: Reads, id: string): void {
  rows('DELETE FROM api_keys WHERE id = ?', id)
}

/** Names the rows of keys that are not as they were written. */
export function checkKeys({ driver, sums }: StoreCheckSubject): readonly string[] {
  const rows: Reads['rows'] = (sql, ...parameters) => driver.prepare(sql).all(...parameters)
  return readKeys({ rows, sums }).damaged.map((id) => `API key ${id}`)
}

/** What of a key never changes, as it is stored. */
type Body = Pick<KeyRecord, 'name' | 'owner' | 'scopes' | 'hash' | 'madeBy' | 'marks'>

function toValues(record: KeyRecord): (string | number | null)[] {
  const { id, name, owner, scopes, hash, madeBy, marks, createdAtMs, expiresAtMs, lastUsedAtMs, revokedAtMs } = record
  const body: Body = {
    ...{ name, owner, scopes, hash },
    ...(madeBy !== undefined && { madeBy }),
    ...(marks !== undefined && { marks }),
  }
  return [id, JSON.stringify(body), createdAtMs, expiresAtMs, lastUsedAtMs, revokedAtMs]
}

function toRecord([id, text, createdAtMs, expiresAtMs, lastUsedAtMs, revokedAtMs]: Row): KeyRecord {
  return { id, ...(JSON.parse(text) as Body), createdAtMs, expiresAtMs, lastUsedAtMs, revokedAtMs }
}
