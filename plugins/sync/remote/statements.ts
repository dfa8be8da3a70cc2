/** The SQL over the users who handed in pushes. */
import type { StoreCheckSubject } from '../../store/api.ts'
import type { LedgerReads, PushOwner } from '../capabilities.ts'

type Reads = Pick<LedgerReads, 'rows' | 'sums'>
type Row = [pushId: string, owner: string, sum: number]

/**
 * The user who handed in a push; undefined for a push that came another way. Throws if the row is not as it was
 * written.
 */
export function readOwner({ rows, sums }: Reads, pushId: string): PushOwner | undefined {
  const [row] = rows<Row>('SELECT push_id, owner, sum FROM push_owners WHERE push_id = ?', pushId)
  if (row === undefined) return undefined
  sums.check(row)
  const [tenant, user] = JSON.parse(row[1]) as [string, string]
  return { tenant, user }
}

/** Keeps who handed in a push. */
export function insertOwner({ rows, sums }: Reads, pushId: string, { tenant, user }: PushOwner): void {
  rows(
    'INSERT INTO push_owners (push_id, owner, sum) VALUES (?, ?, ?)',
    ...sums.add([pushId, JSON.stringify([tenant, user])]),
  )
}

/** Names the rows that are not as they were written. */
export function checkOwners({ driver, sums }: StoreCheckSubject): readonly string[] {
  return driver
    .prepare('SELECT push_id, owner, sum FROM push_owners')
    .all<Row>()
    .flatMap((row) => {
      try {
        sums.check(row)
        return []
      } catch {
        return [`owner of push ${row[0]}`]
      }
    })
}
