/** The SQL of the inbox: the pushes that peers have sent. */
import type { TableRows } from '../../../store/api.ts'
import type { Acknowledgement, PeerState } from '../../../sync/api.ts'
import type { AskedPush } from '../../../sync/capabilities.ts'
import { onlyRow } from '../staged/statements.ts'

/** A push of a peer with the current acknowledgement of this node. */
export interface Inboxed extends AskedPush {
  /** The number of its row. */
  readonly no: number
  readonly pushId: string
  /** The canonical payload hash. */
  readonly hash: string
  /** The endpoint id of the peer that sent the push. */
  readonly peer: string
  /** The heads that the push pinned on its origin; null if its project had no commands there. */
  readonly heads: readonly string[] | null
  readonly ack: Acknowledgement
}

type PushRow = [
  no: number,
  pushId: string,
  hash: string,
  peer: string,
  domain: string,
  signer: string,
  frontier: string | null,
  state: PeerState,
  ack: string,
]
const SELECT = 'SELECT no, push_id, hash, peer, domain, signer, frontier, state, ack FROM peer_inbox'

/** The push of a row. @throws Error if there is no such row */
export function readPush({ rows }: TableRows, no: number): Inboxed {
  return toInboxed(onlyRow(rows<PushRow>(`${SELECT} WHERE no = ?`, no)))
}

/** The push with an id and a hash, if this peer has sent it. */
export function findSamePush({ rows }: TableRows, pushId: string, hash: string, peer: string): Inboxed | undefined {
  return rows<PushRow>(`${SELECT} WHERE push_id = ? AND hash = ? AND peer = ?`, pushId, hash, peer).map(toInboxed)[0]
}

/** The push with an id, if this peer has sent one. A push that waits comes before the others of this id. */
export function findPush({ rows }: TableRows, pushId: string, peer: string): Inboxed | undefined {
  const sql = `${SELECT} WHERE push_id = ? AND peer = ? ORDER BY state = 'received' DESC LIMIT 1`
  return rows<PushRow>(sql, pushId, peer).map(toInboxed)[0]
}

/** Whether any peer has sent a push with this id. */
export function hasPushId({ rows }: TableRows, pushId: string): boolean {
  return rows('SELECT 1 FROM peer_inbox WHERE push_id = ?', pushId).length > 0
}

/** Waiting pushes that are read together. */
const MAX_WAITING = 64

/** Pushes of a project that wait for commands or texts, at most 64. */
export function waitingPushes({ rows }: TableRows, project: string): readonly Inboxed[] {
  // Uses the index of waiting pushes, because the table also has every finished push of eight days.
  const sql = `${SELECT} INDEXED BY peer_inbox_waiting WHERE state = 'received' AND domain IN (?, ?) LIMIT ${MAX_WAITING}`
  return rows<PushRow>(sql, `kbd-control:${project}`, `kbd-content:${project}`).map(toInboxed)
}

/** The request of a waiting push as JSON; undefined if the push is finished or dropped. */
export function readRequest({ rows }: TableRows, no: number): string | undefined {
  const [row] = rows<[push: string | null]>('SELECT push FROM peer_inbox WHERE no = ?', no)
  return row?.[0] ?? undefined
}

/** A push to add. */
export interface NewPush extends Omit<Inboxed, 'no' | 'family' | 'project'> {
  readonly domain: string
  /** The request as JSON, which only a waiting push needs. */
  readonly request: string | null
}

/** Adds a push. */
export function insertPush({ rows }: TableRows, push: NewPush, nowMs: number): Inboxed {
  const { domain, request, ...rest } = push
  const { pushId, hash, peer, signerKeyId, heads, ack } = rest
  rows(
    `INSERT INTO peer_inbox (push_id, hash, peer, domain, signer, frontier, push, state, ack, staged_bytes, touched_at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)`,
    pushId,
    hash,
    peer,
    domain,
    signerKeyId,
    heads === null ? null : JSON.stringify(heads),
    request,
    ack.state,
    JSON.stringify(ack),
    nowMs,
  )
  // RETURNING would create a temporary table, with a page cache of its own, for each row.
  const [no] = onlyRow(rows<[no: number]>('SELECT last_insert_rowid()'))
  return { no, ...rest, ...splitDomain(domain) }
}

/** Writes the final acknowledgement of a push, which needs its request no longer. */
export function finishPush({ rows }: TableRows, no: number, ack: Acknowledgement, nowMs: number): void {
  rows(
    'UPDATE peer_inbox SET state = ?, ack = ?, push = NULL, staged_bytes = 0, touched_at_ms = ? WHERE no = ?',
    ack.state,
    JSON.stringify(ack),
    nowMs,
    no,
  )
}

/** Replaces the acknowledgement of a push by another one of the same state. */
export function replaceAcknowledgement({ rows }: TableRows, no: number, ack: Acknowledgement): void {
  rows('UPDATE peer_inbox SET ack = ? WHERE no = ?', JSON.stringify(ack), no)
}

/** A push that is due to be dropped. */
type DuePush = [no: number, pushId: string, state: PeerState, peer: string]

/** Pushes that one call of `duePushes` returns at most. */
export const DUE_SLICE = 64

/** The pushes that were changed before `anyMs`, or before `waitingMs` if they wait. At most `DUE_SLICE`. */
export function duePushes({ rows }: TableRows, anyMs: number, waitingMs: number): readonly DuePush[] {
  return rows<DuePush>(
    `SELECT no, push_id, state, peer FROM peer_inbox
     WHERE touched_at_ms < ? OR (state = 'received' AND touched_at_ms < ?) LIMIT ${DUE_SLICE}`,
    anyMs,
    waitingMs,
  )
}

/** Removes a push. */
export function deletePush({ rows }: TableRows, no: number): void {
  rows('DELETE FROM peer_inbox WHERE no = ?', no)
}

function splitDomain(domain: string): Pick<Inboxed, 'family' | 'project'> {
  const colon = domain.indexOf(':')
  return { family: domain.slice(0, colon), project: domain.slice(colon + 1) }
}

function toInboxed([no, pushId, hash, peer, domain, signerKeyId, frontier, , ack]: PushRow): Inboxed {
  return {
    no,
    pushId,
    hash,
    peer,
    ...splitDomain(domain),
    signerKeyId,
    heads: frontier === null ? null : (JSON.parse(frontier) as string[]),
    ack: JSON.parse(ack) as Acknowledgement,
  }
}
