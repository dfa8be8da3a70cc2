/** The SQL of claims, with its parameters and rows. `p` is the number of the project. */
import { requireRow, type Sql } from '../sql.ts'

/** A claim: an acquire or a force, with its present state. */
export interface ClaimRow {
  /** The position of the acquire or force. */
  readonly pos: number
  /** The id of the acquire or force. */
  readonly id: string
  readonly claimId: string
  readonly device: string
  readonly agent: string | null
  readonly tie: string
  readonly generation: number
  readonly lost: boolean
  readonly ended: boolean
  readonly released: boolean
}

/** A claim that is added. It is neither ended nor released. */
export interface NewClaim extends Omit<ClaimRow, 'ended' | 'released'> {
  readonly card: string
  /** The number of claims of the card up to this one. */
  readonly ordinal: number
  readonly expiresAtMs: number
}

/** The marks that a claim can get. */
export type ClaimMark = 'lost' | 'ended' | 'released'

/** The statements of claims. */
export interface ClaimStatements {
  /** The claims of a card at a position or later, by position. */
  from(p: number, card: string, pos: number): readonly ClaimRow[]
  /** The claims of a card that have not ended. */
  notEnded(p: number, card: string): readonly ClaimRow[]
  withId(p: number, claimId: string): readonly ClaimRow[]
  ofDevice(p: number, claimId: string, card: string, device: string): readonly ClaimRow[]
  /** The claims of a card that are made by commands with these ids. */
  made(p: number, card: string, ids: readonly string[]): readonly ClaimRow[]
  /** The ordinal of the last claim of a card; 0 before the first. */
  lastOrdinal(p: number, card: string): number
  /** Claims of a device in all projects that are in force and expire later than `nowMs`, counted up to a limit. */
  countLive(device: string, nowMs: number, limit: number): number
  insert(p: number, claim: NewClaim): void
  mark(mark: ClaimMark, p: number, card: string, pos: number): void
  setExpiry(expiresAtMs: number, p: number, card: string, pos: number): void
  /** The positions of the releases of the claim at a position. */
  releases(p: number, claim: number): readonly number[]
  insertRelease(p: number, claim: number, pos: number): void
}

type Columns = [
  pos: number,
  id: string,
  claimId: string,
  device: string,
  agent: string | null,
  tie: string,
  generation: number,
  lost: number,
  ended: number,
  released: number,
]

// The texts are constants, because a new string at each call must be hashed to find its prepared statement.
const SELECT =
  'SELECT pos, id, claim_id, device, agent, tie, generation, lost, ended, released FROM kbd_claims WHERE p = ?1'
const FROM = `${SELECT} AND card = ?2 AND pos >= ?3 ORDER BY pos`
const NOT_ENDED = `${SELECT} AND card = ?2 AND ended = 0`
const WITH_ID = `${SELECT} AND claim_id = ?2`
const OF_DEVICE = `${SELECT} AND claim_id = ?2 AND card = ?3 AND device = ?4`
// One statement for all claims of a card, because a card may have thousands of concurrent claims.
const MADE = `${SELECT} AND card = ?2 AND pos IN
  (SELECT pos FROM kbd_commands WHERE +p = ?1 AND id IN (SELECT value FROM json_each(?3)))`
const MARK: Readonly<Record<ClaimMark, string>> = {
  lost: 'UPDATE kbd_claims SET lost = 1 WHERE p = ? AND card = ? AND pos = ?',
  ended: 'UPDATE kbd_claims SET ended = 1 WHERE p = ? AND card = ? AND pos = ?',
  released: 'UPDATE kbd_claims SET released = 1 WHERE p = ? AND card = ? AND pos = ?',
}

/** Makes the statements of a database. */
export function createClaimStatements(sql: Sql): ClaimStatements {
  return {
    from: (p, card, pos) => sql(FROM).all<Columns>(p, card, pos).map(toRow),
    notEnded: (p, card) => sql(NOT_ENDED).all<Columns>(p, card).map(toRow),
    withId: (p, claimId) => sql(WITH_ID).all<Columns>(p, claimId).map(toRow),
    ofDevice: (p, claimId, card, device) => sql(OF_DEVICE).all<Columns>(p, claimId, card, device).map(toRow),
    made: (p, card, ids) => sql(MADE).all<Columns>(p, card, JSON.stringify(ids)).map(toRow),
    lastOrdinal: (p, card) =>
      sql('SELECT ordinal FROM kbd_claims WHERE p = ? AND card = ? ORDER BY pos DESC LIMIT 1').get<[ordinal: number]>(
        p,
        card,
      )?.[0] ?? 0,
    countLive: (device, nowMs, limit) =>
      requireRow(
        sql(
          `SELECT count(*) FROM (SELECT 1 FROM kbd_claims WHERE device = ? AND expires_at_ms > ?
           AND lost = 0 AND ended = 0 AND released = 0 LIMIT 0 + ?)`,
        ).get<[count: number]>(device, nowMs, limit),
      )[0],
    insert(p, { card, pos, id, claimId, device, agent, tie, generation, ordinal, lost, expiresAtMs }) {
      const columns = [p, card, pos, id, claimId, device, agent, tie, generation, ordinal, lost ? 1 : 0, expiresAtMs]
      sql('INSERT INTO kbd_claims VALUES (?,?,?,?,?,?,?,?,?,?,?,0,0,?)').run(...columns)
    },
    mark: (mark, p, card, pos) => sql(MARK[mark]).run(p, card, pos),
    setExpiry: (expiresAtMs, p, card, pos) =>
      sql('UPDATE kbd_claims SET expires_at_ms = ? WHERE p = ? AND card = ? AND pos = ?').run(
        expiresAtMs,
        p,
        card,
        pos,
      ),
    releases: (p, claim) =>
      sql('SELECT pos FROM kbd_releases WHERE p = ? AND claim = ?')
        .all<[pos: number]>(p, claim)
        .map(([pos]) => pos),
    insertRelease: (p, claim, pos) => sql('INSERT INTO kbd_releases VALUES (?, ?, ?)').run(p, claim, pos),
  }
}

function toRow(row: Columns): ClaimRow {
  const [pos, id, claimId, device, agent, tie, generation, lost, ended, released] = row
  return {
    pos,
    id,
    claimId,
    device,
    agent,
    tie,
    generation,
    lost: lost === 1,
    ended: ended === 1,
    released: released === 1,
  }
}
