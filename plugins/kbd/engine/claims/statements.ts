/** The SQL of claims, with its parameters and rows. `p` is the number of the project. */
import { CLOCK_TOLERANCE_MS } from '../../../protocol/clocks.ts'
import { requireRow, type Sql } from '../sql.ts'

/** A claim: an acquire or a force, with its present state. Times are Unix time in milliseconds. */
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
  /** The time of the acquire or force, the end of its lease, and the latest end of an entry of the claim. */
  readonly issuedAtMs: number
  readonly endMs: number
  readonly lastEndMs: number
  /** The latest end of the entries that follow the acquire or force, each before the end of those before it. */
  readonly runEndMs: number
  /** The time from which the claim counts; null for `capMs` if no later claim limits it. */
  readonly fromMs: number
  readonly capMs: number | null
  /** Whether it came before the end of a claim that its author had seen. */
  readonly void: boolean
  /** Whether a concurrent claim has a lower (tie, id). */
  readonly lost: boolean
  /** Whether a force ended it. */
  readonly ended: boolean
  readonly released: boolean
}

/** A claim that is added. */
export interface NewClaim extends ClaimRow {
  readonly card: string
  /** The number of claims of the card up to this one. */
  readonly ordinal: number
  readonly isForce: boolean
}

/** An acquire, a force or a renewal of a claim. */
export interface ClaimEntry {
  readonly pos: number
  readonly issuedAtMs: number
  readonly endMs: number
}

/** A claim, and the time of the entry with which its run ends. */
export interface RunClaim extends ClaimRow {
  readonly runIssuedAtMs: number
}

/** A claim that stands, and its card. */
export interface StandingClaim extends ClaimRow {
  readonly card: string
}

/** The marks that a claim can get. */
export type ClaimMark = 'lost' | 'ended' | 'released'

/** The statements of claims. */
export interface ClaimStatements {
  /** The claims of a card at a position or later, by position. */
  from(p: number, card: string, pos: number): readonly ClaimRow[]
  /** The claims of a card that no force has ended. */
  notEnded(p: number, card: string): readonly ClaimRow[]
  /** The claims of a card that are not void, end after `fromMs` and count from before `toMs`. */
  around(p: number, card: string, fromMs: number, toMs: number): readonly ClaimRow[]
  /** The claims of a card that are not void and come after a claim by (issuedAtMs, id). */
  later(p: number, card: string, claim: Pick<ClaimRow, 'issuedAtMs' | 'id'>): readonly ClaimRow[]
  /**
   * The claims of a card that stand and have one of these caps. The cap of a claim that fell tells nothing any more.
   */
  limitedTo(p: number, card: string, capsMs: readonly number[]): readonly ClaimRow[]
  /** The claims of a project, or of one card, that stand and have not reached their last end. */
  lasting(p: number, nowMs: number, card?: string): readonly StandingClaim[]
  withId(p: number, claimId: string): readonly ClaimRow[]
  ofDevice(p: number, claimId: string, card: string, device: string): readonly ClaimRow[]
  /** The claims of a card that are made by commands with these ids, and the one in force by the graph alone. */
  shown(p: number, card: string, ids: readonly string[]): readonly RunClaim[]
  /** The ordinal of the last claim of a card; 0 before the first. */
  lastOrdinal(p: number, card: string): number
  /** Claims of a device in all projects that are in force and expire later than `nowMs`, counted up to a limit. */
  countLive(device: string, nowMs: number, limit: number): number
  insert(p: number, claim: NewClaim): void
  mark(mark: ClaimMark, p: number, card: string, positions: readonly number[]): void
  setCap(p: number, card: string, pos: number, capMs: number | null): void
  /** Sets the cap of all claims that come before a claim by (issuedAtMs, id), where the cap becomes lower. */
  limitEarlier(p: number, card: string, claim: Pick<ClaimRow, 'issuedAtMs' | 'id' | 'fromMs'>): void
  /** Sets the latest end of a claim, if it becomes later, and the end of its run. */
  lengthen(p: number, card: string, pos: number, endMs: number, runEndMs: number): void
  /** The entries of a claim. */
  entries(p: number, claim: number): readonly ClaimEntry[]
  insertEntry(p: number, claim: number, entry: ClaimEntry): void
  /**
   * The entry of a claim that ends last, of those with an `issuedAtMs` up to `untilMs`; of equal ones the lowest id.
   */
  lastEntry(p: number, claim: number, untilMs: number): ClaimEntry | undefined
  /** The latest end of the entries of a claim that begin up to `untilMs`, if it is later than `endMs`. */
  reaches(p: number, claim: number, untilMs: number, endMs: number): number | undefined
  /** The entry of a claim whose time comes next after `afterMs`. */
  nextEntry(p: number, claim: number, afterMs: number): ClaimEntry | undefined
  /** The positions of the forces of a card after a position. */
  forces(p: number, card: string, pos: number): readonly number[]
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
  issuedAtMs: number,
  endMs: number,
  lastEndMs: number,
  runEndMs: number,
  fromMs: number,
  capMs: number | null,
  void: number,
  lost: number,
  ended: number,
  released: number,
]
type EntryColumns = [pos: number, issuedAtMs: number, endMs: number]

// The texts are constants, because a new string at each call must be hashed to find its prepared statement.
const COLUMNS = `pos, id, claim_id, device, agent, tie, generation, issued_at_ms, end_ms, last_end_ms, run_end_ms, from_ms, cap_ms,
  void, lost, ended, released`
const SELECT = `SELECT ${COLUMNS} FROM kbd_claims WHERE p = ?1`
const STANDS = 'void = 0 AND lost = 0 AND ended = 0 AND released = 0'
const FROM = `${SELECT} AND card = ?2 AND pos >= ?3 ORDER BY pos`
const NOT_ENDED = `${SELECT} AND card = ?2 AND ended = 0`
const AROUND = `${SELECT} AND card = ?2 AND void = 0 AND last_end_ms > ?3 AND issued_at_ms - ${CLOCK_TOLERANCE_MS} < ?4 ORDER BY pos`
const LATER = `${SELECT} AND card = ?2 AND void = 0 AND (issued_at_ms, id) > (?3, ?4)`
const LIMITED = `${SELECT} AND card = ?2 AND ${STANDS} AND cap_ms IN (SELECT value FROM json_each(?3))`
const LASTING = `SELECT ${COLUMNS}, card FROM kbd_claims WHERE p = ?1 AND expires_at_ms > ?2 AND ${STANDS}`
const LASTING_OF_CARD = `${LASTING} AND card = ?3`
const WITH_ID = `${SELECT} AND claim_id = ?2`
const OF_DEVICE = `${SELECT} AND claim_id = ?2 AND card = ?3 AND device = ?4`
// One statement for all claims of a card, because a card may have thousands of concurrent claims.
const SHOWN = `SELECT ${COLUMNS}, (SELECT min(e.issued_at_ms) FROM kbd_claim_entries e
    WHERE e.p = ?1 AND e.claim = k.pos AND e.end_ms = k.run_end_ms)
  FROM kbd_claims k WHERE p = ?1 AND card = ?2 AND (
    (${STANDS} AND cap_ms IS NULL)
    OR pos IN (SELECT pos FROM kbd_commands WHERE +p = ?1 AND id IN (SELECT value FROM json_each(?3))))`
const LIMIT_EARLIER = `UPDATE kbd_claims SET cap_ms = ?5, expires_at_ms = min(last_end_ms, ?5)
  WHERE p = ?1 AND card = ?2 AND (issued_at_ms, id) < (?3, ?4) AND (cap_ms IS NULL OR cap_ms > ?5)`
const LENGTHEN = `UPDATE kbd_claims
  SET run_end_ms = ?5, last_end_ms = max(last_end_ms, ?4), expires_at_ms = min(max(last_end_ms, ?4), coalesce(cap_ms, max(last_end_ms, ?4)))
  WHERE p = ?1 AND card = ?2 AND pos = ?3`
const ENTRY = 'SELECT e.pos, e.issued_at_ms, e.end_ms FROM kbd_claim_entries e'
// Entries with equal times are shown alike, so their order needs no ids.
const LAST_ENTRY = `${ENTRY} WHERE e.p = ? AND e.claim = ? AND e.issued_at_ms <= ?
  ORDER BY e.end_ms DESC, e.issued_at_ms LIMIT 1`
const REACHES = `SELECT end_ms FROM kbd_claim_entries
  WHERE p = ? AND claim = ? AND issued_at_ms <= ? AND end_ms > ? ORDER BY end_ms DESC LIMIT 1`
const NEXT_ENTRY = `${ENTRY} WHERE e.p = ? AND e.claim = ? AND e.issued_at_ms > ?
  ORDER BY e.issued_at_ms, e.end_ms DESC LIMIT 1`
const MARKED = 'WHERE p = ? AND card = ? AND pos IN (SELECT value FROM json_each(?))'
const MARK: Readonly<Record<ClaimMark, string>> = {
  lost: `UPDATE kbd_claims SET lost = 1 ${MARKED}`,
  ended: `UPDATE kbd_claims SET ended = 1 ${MARKED}`,
  released: `UPDATE kbd_claims SET released = 1 ${MARKED}`,
}

/** Makes the statements of a database. */
export function createClaimStatements(sql: Sql): ClaimStatements {
  return { ...readStatements(sql), ...writeStatements(sql), ...entryStatements(sql) }
}

type EntryName = 'entries' | 'reaches' | 'insertEntry' | 'lastEntry' | 'nextEntry' | 'releases' | 'insertRelease'
type WriteName = 'insert' | 'mark' | 'setCap' | 'limitEarlier' | 'lengthen'

function readStatements(sql: Sql): Omit<ClaimStatements, EntryName | WriteName> {
  return {
    from: (p, card, pos) => sql(FROM).all<Columns>(p, card, pos).map(toRow),
    notEnded: (p, card) => sql(NOT_ENDED).all<Columns>(p, card).map(toRow),
    around: (p, card, fromMs, toMs) => sql(AROUND).all<Columns>(p, card, fromMs, toMs).map(toRow),
    later: (p, card, { issuedAtMs, id }) => sql(LATER).all<Columns>(p, card, issuedAtMs, id).map(toRow),
    limitedTo: (p, card, capsMs) => sql(LIMITED).all<Columns>(p, card, JSON.stringify(capsMs)).map(toRow),
    lasting(p, nowMs, card) {
      type Row = [...Columns, card: string]
      const rows = card === undefined ? sql(LASTING).all<Row>(p, nowMs) : sql(LASTING_OF_CARD).all<Row>(p, nowMs, card)
      return rows.map((row) => ({ ...toRow(row), card: row[17] }))
    },
    withId: (p, claimId) => sql(WITH_ID).all<Columns>(p, claimId).map(toRow),
    ofDevice: (p, claimId, card, device) => sql(OF_DEVICE).all<Columns>(p, claimId, card, device).map(toRow),
    shown: (p, card, ids) =>
      sql(SHOWN)
        .all<[...Columns, runIssuedAtMs: number]>(p, card, JSON.stringify(ids))
        .map((row) => ({ ...toRow(row), runIssuedAtMs: row[17] })),
    lastOrdinal: (p, card) =>
      sql('SELECT ordinal FROM kbd_claims WHERE p = ? AND card = ? ORDER BY pos DESC LIMIT 1').get<[ordinal: number]>(
        p,
        card,
      )?.[0] ?? 0,
    countLive: (device, nowMs, limit) =>
      requireRow(
        sql(
          `SELECT count(*) FROM (SELECT 1 FROM kbd_claims WHERE device = ? AND expires_at_ms > ?
           AND ${STANDS} LIMIT 0 + ?)`,
        ).get<[count: number]>(device, nowMs, limit),
      )[0],
    forces: (p, card, pos) =>
      sql('SELECT pos FROM kbd_claims WHERE p = ? AND card = ? AND pos > ? AND is_force = 1')
        .all<[pos: number]>(p, card, pos)
        .map(([forcePos]) => forcePos),
  }
}

function writeStatements(sql: Sql): Pick<ClaimStatements, WriteName> {
  return {
    insert(p, claim) {
      const { card, pos, id, claimId, device, agent, tie, generation, ordinal, isForce } = claim
      const { issuedAtMs, endMs, lastEndMs, runEndMs, fromMs, capMs } = claim
      const who = [p, card, pos, id, claimId, device, agent, tie, generation, ordinal, isForce ? 1 : 0]
      const flags = [claim.void, claim.lost, claim.ended, claim.released].map(Number)
      sql('INSERT INTO kbd_claims VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)').run(
        ...who,
        ...[issuedAtMs, endMs, lastEndMs, runEndMs, fromMs, capMs],
        ...flags,
        Math.min(lastEndMs, capMs ?? lastEndMs),
      )
    },
    mark: (mark, p, card, positions) => sql(MARK[mark]).run(p, card, JSON.stringify(positions)),
    setCap: (p, card, pos, capMs) =>
      sql(`UPDATE kbd_claims SET cap_ms = ?4, expires_at_ms = min(last_end_ms, coalesce(?4, last_end_ms))
           WHERE p = ?1 AND card = ?2 AND pos = ?3`).run(p, card, pos, capMs),
    limitEarlier: (p, card, { issuedAtMs, id, fromMs }) => sql(LIMIT_EARLIER).run(p, card, issuedAtMs, id, fromMs),
    lengthen: (p, card, pos, endMs, runEndMs) => sql(LENGTHEN).run(p, card, pos, endMs, runEndMs),
  }
}

function entryStatements(sql: Sql): Pick<ClaimStatements, EntryName> {
  const first = (rows: readonly EntryColumns[]): ClaimEntry | undefined => rows.map(toEntry)[0]
  return {
    entries: (p, claim) =>
      sql(`${ENTRY} WHERE e.p = ? AND e.claim = ? ORDER BY e.pos`).all<EntryColumns>(p, claim).map(toEntry),
    insertEntry: (p, claim, { pos, issuedAtMs, endMs }) =>
      sql('INSERT INTO kbd_claim_entries VALUES (?, ?, ?, ?, ?)').run(p, claim, pos, issuedAtMs, endMs),
    lastEntry: (p, claim, untilMs) => first(sql(LAST_ENTRY).all<EntryColumns>(p, claim, untilMs)),
    reaches: (p, claim, untilMs, endMs) => sql(REACHES).get<[endMs: number]>(p, claim, untilMs, endMs)?.[0],
    nextEntry: (p, claim, afterMs) => first(sql(NEXT_ENTRY).all<EntryColumns>(p, claim, afterMs)),
    releases: (p, claim) =>
      sql('SELECT pos FROM kbd_releases WHERE p = ? AND claim = ?')
        .all<[pos: number]>(p, claim)
        .map(([pos]) => pos),
    insertRelease: (p, claim, pos) => sql('INSERT INTO kbd_releases VALUES (?, ?, ?)').run(p, claim, pos),
  }
}

function toEntry([pos, issuedAtMs, endMs]: EntryColumns): ClaimEntry {
  return { pos, issuedAtMs, endMs }
}

function toRow(row: readonly [...Columns, ...unknown[]]): ClaimRow {
  const [pos, id, claimId, device, agent, tie, generation, issuedAtMs, endMs, lastEndMs, ...rest] = row
  const [isVoid, lost, ended, released] = row.slice(13).map((flag) => flag === 1)
  return {
    ...{ pos, id, claimId, device, agent, tie, generation, issuedAtMs, endMs, lastEndMs },
    ...{ runEndMs: rest[0], fromMs: rest[1], capMs: rest[2] },
    void: isVoid === true,
    lost: lost === true,
    ended: ended === true,
    released: released === true,
  }
}
