/** The SQL of revocations. */
import type { StoreCheckSubject, Tables } from '../../../store/api.ts'
import type { Revocation } from '../../api.ts'

type Reads = Tables

type Row = [
  subject: string,
  number: number,
  change: number,
  notBeforeMs: number,
  liftedAtMs: number | null,
  reason: string | null,
  sum: number,
]

const COLUMNS = 'subject, number, change, not_before_ms, lifted_at_ms, reason, sum'

/**
 * Reads the revocations that were made or changed after a change, in the order of their numbers; and the subjects of
 * damaged rows.
 */
export function readRevocations(
  { rows, sums }: Pick<Reads, 'rows'> & Pick<StoreCheckSubject, 'sums'>,
  after = -1,
): { readonly revocations: readonly Revocation[]; readonly damaged: readonly string[] } {
  const revocations: Revocation[] = []
  const damaged: string[] = []
  for (const row of rows<Row>(`SELECT ${COLUMNS} FROM revocations WHERE change > ? ORDER BY number`, after)) {
    try {
      sums.check(row)
      revocations.push(toRevocation(row))
    } catch {
      damaged.push(row[0])
    }
  }
  return { revocations, damaged }
}

/** Adds a revocation, or replaces it by a later change. */
export function putRevocation({ rows, sums }: Reads, row: Revocation): void {
  const values = [
    toSubject(row),
    ...[row.number, row.change, row.notBeforeMs, row.liftedAtMs],
    row.reason === null ? null : JSON.stringify(row.reason),
  ]
  rows(`INSERT OR REPLACE INTO revocations (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`, ...sums.add(values))
}

/** Removes a revocation. */
export function deleteRevocation({ rows }: Pick<Reads, 'rows'>, row: Revocation): void {
  rows('DELETE FROM revocations WHERE subject = ?', toSubject(row))
}

/** Names the rows of revocations that are not as they were written. */
export function checkRevocations({ driver, sums }: StoreCheckSubject): readonly string[] {
  const rows: Reads['rows'] = (sql, ...parameters) => driver.prepare(sql).all(...parameters)
  return readRevocations({ rows, sums }).damaged.map((subject) => `revocation of ${subject}`)
}

/** JSON, because names may have any character and SQLite ends a text at U+0000. */
function toSubject({ tenant, user, jti }: Revocation): string {
  return JSON.stringify([tenant, user, jti])
}

function toRevocation([subject, number, change, notBeforeMs, liftedAtMs, reason]: Row): Revocation {
  const [tenant, user, jti] = JSON.parse(subject) as [string, string, string | null]
  return {
    ...{ number, change, tenant, user, jti, notBeforeMs, liftedAtMs },
    reason: reason === null ? null : (JSON.parse(reason) as string),
  }
}
