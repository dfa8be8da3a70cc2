/** The SQL over invitations. */
import type { StoreCheckSubject } from '../../../store/api.ts'
import type { LedgerReads } from '../../capabilities.ts'

/** The reads and writes of the store that these statements use. */
export type Rows = Pick<LedgerReads, 'rows' | 'sums'>

/** An invitation of a device. Times are Unix times in milliseconds. */
export interface Invitation {
  readonly id: string
  /** SHA-256 of the secret, in hex. */
  readonly secretHash: string
  readonly scopes: readonly string[]
  readonly label: string | null
  /** Seconds after its enrolment at which the device expires; null for never. */
  readonly deviceSeconds: number | null
  readonly createdAtMs: number
  readonly expiresAtMs: number
  /**
   * The latest time at which this node has looked at the invitation. An earlier time shows that the clock was set back.
   */
  readonly seenAtMs: number
  readonly wrongSecrets: number
  readonly state: 'open' | 'used' | 'void'
  /** When it was used or became void; null while it is open. */
  readonly endedAtMs: number | null
  /** The device that used it. */
  readonly keyId: string | null
}

type Row = [id: string, body: string, sum: number]

/** The invitation with an id; undefined if there is none. Throws if its row is not as it was written. */
export function readInvitation({ rows, sums }: Rows, id: string): Invitation | undefined {
  const [row] = rows<Row>('SELECT id, body, sum FROM invitations WHERE id = ?', id)
  return row && toInvitation(row, sums)
}

/** All invitations, by id. */
export function readInvitations({ rows, sums }: Rows): readonly Invitation[] {
  return rows<Row>('SELECT id, body, sum FROM invitations ORDER BY id').map((row) => toInvitation(row, sums))
}

/** Writes an invitation in the place of the one with its id, if there is one. */
export function writeInvitation({ rows, sums }: Rows, { id, ...body }: Invitation): void {
  rows('INSERT OR REPLACE INTO invitations (id, body, sum) VALUES (?, ?, ?)', ...sums.add([id, JSON.stringify(body)]))
}

/** Removes an invitation. */
export function deleteInvitation({ rows }: Rows, id: string): void {
  rows('DELETE FROM invitations WHERE id = ?', id)
}

function toInvitation(row: Row, sums: Rows['sums']): Invitation {
  sums.check(row)
  return { id: row[0], ...(JSON.parse(row[1]) as Omit<Invitation, 'id'>) }
}

/** Names the rows that are not as they were written. */
export function checkInvitations({ driver, sums }: StoreCheckSubject): readonly string[] {
  const all = driver.prepare('SELECT id, body, sum FROM invitations').all<Row>()
  return all.flatMap((row) => {
    try {
      sums.check(row)
      return []
    } catch {
      return [`invitation ${row[0]}`]
    }
  })
}
