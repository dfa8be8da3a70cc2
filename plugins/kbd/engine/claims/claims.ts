/**
 * Claims: leases on cards, of which one at most is in force, whatever commands came and in whatever order.
 *
 * A claim is its acquire or force. It is lost for good once a concurrent one has a lower (tie, id), ended once a later one
 * has it in its past or it is released. What a renewal or release means is judged by its own past alone; nothing expires
 * here, for time is judged by whoever reads.
 */
import type { Claim, Command, CommandEnvelope } from '../../api.ts'
import type { EntityEntries } from '../fold/registers.ts'
import type { Graph } from '../graph/graph.ts'
import type { Past } from '../graph/past.ts'
import { contains, type Ranges } from '../graph/ranges.ts'
import { type Codecs, hashOf, type Sql } from '../parts.ts'

/** A command about a claim. */
export type ClaimCommand = Extract<Command, { type: `claim.${string}` }>

/** What stands in a claim register. */
export interface ClaimValue {
  readonly type: ClaimCommand['type']
  /** The id of the acquire or force. */
  readonly of: string
  readonly claimId: string
  readonly agent: string | null
  readonly leaseMs: number
  /** Of a released claim, when it was released. */
  readonly expiresAtMs: number
}

/** A claim with what became of it. */
export interface ClaimRow {
  readonly pos: number
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

/** A claim as it is shown, the entry that shows it, and the id of its acquire. */
export interface ShownClaim {
  readonly of: string
  readonly entryPos: number
  readonly claim: Claim
}

/** Where a command stands. */
export interface Stand {
  readonly p: number
  readonly pos: number
  readonly id: string
  readonly envelope: CommandEnvelope
  readonly unseen: Ranges
  readonly past: Past
}

const COLUMNS = 'pos, id, claim_id, device, agent, tie, generation, lost, ended, released'
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

/** Whether a command is about a claim. */
export function isClaim(command: Command): command is ClaimCommand {
  return command.type.startsWith('claim.')
}

/** Folds and shows claims. */
export interface Claims {
  /** What the command writes to the claim register of its card; undefined where it means nothing where it stands. */
  fold(stand: Stand, command: ClaimCommand): ClaimValue | undefined
  /** The claims of a card that have a live entry; notes when the one in force expires, for `countLive`. */
  settle(p: number, entries: EntityEntries, past: Past): readonly ShownClaim[]
  /** Whether a claim id was used in the project, as far as `seen` allows. */
  isUsed(p: number, claimId: string, seen: (pos: number) => boolean): boolean
  /** Claims of a device that are in force and not expired, in all projects, counted up to a limit. */
  countLive(device: string, nowMs: number, limit: number): number
}

/** Makes the claims. */
export function createClaims(sql: Sql, graph: Graph, codecs: Codecs): Claims {
  const rowsWhere = (where: string): ((...parameters: readonly (string | number)[]) => readonly ClaimRow[]) => {
    const text = `SELECT ${COLUMNS} FROM kbd_claims WHERE ${where}`
    return (...parameters) =>
      sql(text)
        .all<Columns>(...parameters)
        .map(toRow)
  }
  const rows = {
    from: rowsWhere('p = ? AND card = ? AND pos >= ? ORDER BY pos'),
    open: rowsWhere('p = ? AND card = ? AND ended = 0'),
    withId: rowsWhere('p = ? AND claim_id = ?'),
    ofDevice: rowsWhere('p = ? AND claim_id = ? AND card = ? AND device = ?'),
    // One statement for all: a card may have thousands of concurrent claims.
    made: rowsWhere(`p = ?1 AND card = ?2 AND pos IN
      (SELECT pos FROM kbd_commands WHERE +p = ?1 AND id IN (SELECT value FROM json_each(?3)))`),
  }

  const acquire = (stand: Stand, command: Extract<ClaimCommand, { agent: unknown }>): ClaimValue | undefined => {
    const { p, pos, id, envelope, unseen } = stand
    const { cardId, claimId, agent, leaseMs } = command
    if (isUsed(p, claimId, (other) => !contains(unseen, other))) return undefined
    const tie = hashOf(codecs, ['svc-kbd-claim-2', cardId, envelope.signerKeyId])
    const rivals =
      unseen.length === 0 ? [] : rows.from(p, cardId, unseen[0]!).filter((row) => contains(unseen, row.pos))
    const last = sql('SELECT ordinal FROM kbd_claims WHERE p = ? AND card = ? ORDER BY pos DESC LIMIT 1')
    const ordinal = (last.get<[ordinal: number]>(p, cardId)?.[0] ?? 0) + 1
    const mine = { tie, id }
    for (const rival of rivals) if (!rival.lost && isLower(mine, rival)) mark('lost', p, cardId, rival.pos)
    for (const open of rows.open(p, cardId)) if (!contains(unseen, open.pos)) mark('ended', p, cardId, open.pos)
    const lost = rivals.some((rival) => isLower(rival, mine)) ? 1 : 0
    const expiresAtMs = envelope.issuedAtMs + leaseMs
    const { signerKeyId } = envelope
    const generation = ordinal - rivals.length
    sql('INSERT INTO kbd_claims VALUES (?,?,?,?,?,?,?,?,?,?,?,0,0,?)').run(
      p,
      cardId,
      pos,
      id,
      claimId,
      signerKeyId,
      agent,
      tie,
      generation,
      ordinal,
      lost,
      expiresAtMs,
    )
    return { type: command.type, of: id, claimId, agent, leaseMs, expiresAtMs }
  }

  const isUsed: Claims['isUsed'] = (p, claimId, seen) => rows.withId(p, claimId).some(({ pos }) => seen(pos))

  const mark = (column: 'lost' | 'ended' | 'released', p: number, card: string, pos: number): void =>
    sql(`UPDATE kbd_claims SET ${column} = 1 WHERE p = ? AND card = ? AND pos = ?`).run(p, card, pos)

  /** Whether a claim was in force in the past of a command that has it in its past. */
  const stoodIn = (stand: Stand, card: string, claim: ClaimRow): boolean => {
    // What is in force with every command taken together was so in each past as well.
    if (!claim.lost && !claim.ended && !claim.released) return true
    const { p, unseen, past } = stand
    const seen = (pos: number): boolean => !contains(unseen, pos)
    const releases = sql('SELECT pos FROM kbd_releases WHERE p = ? AND claim = ?').all<[pos: number]>(p, claim.pos)
    if (releases.some(([pos]) => seen(pos))) return false
    const before = past.unseen(claim.pos)
    const rivals = rows.from(p, card, before[0] ?? claim.pos)
    return !rivals.some((rival) => {
      if (rival.pos === claim.pos || !seen(rival.pos)) return false
      if (rival.pos < claim.pos) return contains(before, rival.pos) && isLower(rival, claim)
      return !contains(past.unseen(rival.pos), claim.pos) || isLower(rival, claim)
    })
  }

  return {
    fold(stand, command) {
      if (command.type === 'claim.acquire' || command.type === 'claim.force') return acquire(stand, command)
      const { p, pos, envelope, unseen } = stand
      const { cardId, claimId } = command
      const claim = rows
        .ofDevice(p, claimId, cardId, envelope.signerKeyId)
        .filter((row) => !contains(unseen, row.pos))
        .sort((one, other) => (one.id < other.id ? -1 : 1))[0]
      if (claim === undefined || !stoodIn(stand, cardId, claim)) return undefined
      const shared = { type: command.type, of: claim.id, claimId, agent: claim.agent }
      if (command.type === 'claim.release') {
        mark('released', p, cardId, claim.pos)
        sql('INSERT INTO kbd_releases VALUES (?, ?, ?)').run(p, claim.pos, pos)
        const { command: acquired } = graph.command(p, claim.pos)
        const { leaseMs } = acquired as { leaseMs: number }
        return { ...shared, leaseMs, expiresAtMs: envelope.issuedAtMs }
      }
      return { ...shared, leaseMs: command.leaseMs, expiresAtMs: envelope.issuedAtMs + command.leaseMs }
    },

    settle(p, { entity, byName }, past) {
      const cardId = entity.slice(entity.indexOf('/') + 1)
      const best = new Map<string, { pos: number; value: ClaimValue }>()
      for (const { pos, value: text } of byName.get('claim') ?? []) {
        const value = JSON.parse(text) as ClaimValue
        const other = best.get(value.of)
        if (other === undefined || isStronger({ pos, value }, other, (at) => past.nodeAt(at).id))
          best.set(value.of, { pos, value })
      }
      const made = new Map(rows.made(p, cardId, JSON.stringify([...best.keys()])).map((row) => [row.id, row]))
      return [...best].map(([of, { pos, value }]): ShownClaim => {
        const row = made.get(of)
        if (row === undefined) throw new Error(`The claim ${of} has no row.`)
        const state = row.lost || row.ended ? 'void' : row.released ? 'released' : 'held'
        if (state === 'held')
          sql('UPDATE kbd_claims SET expires_at_ms = ? WHERE p = ? AND card = ? AND pos = ?').run(
            value.expiresAtMs,
            p,
            cardId,
            row.pos,
          )
        const { claimId, agent, leaseMs, expiresAtMs } = value
        const { device: deviceId, tie, generation } = row
        return {
          of,
          entryPos: pos,
          claim: { claimId, cardId, deviceId, agent, leaseMs, expiresAtMs, tie, generation, state },
        }
      })
    },
    isUsed,
    countLive: (device, nowMs, limit) =>
      sql(
        `SELECT count(*) FROM (SELECT 1 FROM kbd_claims WHERE device = ? AND expires_at_ms > ?
         AND lost = 0 AND ended = 0 AND released = 0 LIMIT 0 + ?)`,
      ).get<[count: number]>(device, nowMs, limit)![0],
  }
}

/** The order among rivals: nobody chooses his tie, for it is made of the card and the key. */
function isLower(one: { tie: string; id: string }, other: { tie: string; id: string }): boolean {
  return one.tie === other.tie ? one.id < other.id : one.tie < other.tie
}

/** Of several entries of one claim a release wins, then the later expiry, then the lowest id. */
function isStronger(
  one: { pos: number; value: ClaimValue },
  other: { pos: number; value: ClaimValue },
  idAt: (pos: number) => string,
): boolean {
  const released = ({ value }: { value: ClaimValue }): boolean => value.type === 'claim.release'
  if (released(one) !== released(other)) return released(one)
  if (one.value.expiresAtMs !== other.value.expiresAtMs) return one.value.expiresAtMs > other.value.expiresAtMs
  return idAt(one.pos) < idAt(other.pos)
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
