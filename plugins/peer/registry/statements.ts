/** The SQL of the entries of peers and of pairings. */
import type { RowSums, TableRows } from '../../store/api.ts'
import type { LedgerReads } from '../../sync/capabilities.ts'
import type { PeerParts } from './entry.ts'

/** Reads and writes of rows that end with a sum. A damaged row is refused with `receipt_store_unavailable`. */
export type SummedRows = Pick<LedgerReads, 'rows' | 'sums'>

type EntryRow = [endpointId: string, label: string | null, addresses: string, projects: string, sum: number]
const ENTRY = 'endpoint_id, label, addresses, projects, sum'

/** All entries that the store has. */
export function readEntries({ rows, sums }: SummedRows): readonly PeerParts[] {
  return rows<EntryRow>(`SELECT ${ENTRY} FROM peers`).map((row) => toEntry(row, sums))
}

/** The entry of an endpoint id, if the store has one. */
export function readEntry({ rows, sums }: SummedRows, endpointId: string): PeerParts | undefined {
  const [row] = rows<EntryRow>(`SELECT ${ENTRY} FROM peers WHERE endpoint_id = ?`, endpointId)
  return row === undefined ? undefined : toEntry(row, sums)
}

/** Writes an entry in the place of an older one with its endpoint id. */
export function writeEntry({ rows, sums }: SummedRows, { endpointId, label, addresses, projects }: PeerParts): void {
  const values = sums.add([endpointId, label, JSON.stringify(addresses), JSON.stringify(projects)])
  rows(`INSERT OR REPLACE INTO peers (${ENTRY}) VALUES (?, ?, ?, ?, ?)`, ...values)
}

/** Removes an entry. */
export function deleteEntry({ rows }: TableRows, endpointId: string): void {
  rows('DELETE FROM peers WHERE endpoint_id = ?', endpointId)
}

function toEntry(row: EntryRow, sums: RowSums): PeerParts {
  sums.check(row)
  const [endpointId, label, addresses, projects] = row
  return {
    endpointId,
    addresses: JSON.parse(addresses) as string[],
    label,
    projects: JSON.parse(projects) as string[],
  }
}

/** A pairing that the owner of this node has opened. */
export interface Pairing {
  /** The hash of the secret, as `hashSecret` makes it. The secret itself is not stored. */
  readonly secretHash: string
  /** The label of the entry that the pairing makes. */
  readonly label: string | null
  /** The projects that the joining node may read and write. */
  readonly projects: readonly string[]
  /** Whether devices are exchanged. */
  readonly devices: boolean
  /** Unix time in milliseconds, by the clock of this node. */
  readonly expiresAtMs: number
}

/** A pairing with the endpoint id of the node that has used it, or null. */
export interface StoredPairing extends Pairing {
  readonly usedBy: string | null
}

type PairingRow = [
  secretHash: string,
  label: string | null,
  projects: string,
  devices: number,
  expiresAtMs: number,
  usedBy: string | null,
  sum: number,
]
const PAIRING = 'secret_hash, label, projects, devices, expires_at_ms, used_by, sum'

/** The pairings that have not expired, used or not. */
export function validPairings({ rows, sums }: SummedRows, nowMs: number): readonly StoredPairing[] {
  const sql = `SELECT ${PAIRING} FROM peer_pairings WHERE expires_at_ms > ?`
  return rows<PairingRow>(sql, nowMs).map((row) => toPairing(row, sums))
}

/** The pairing of a secret. */
export function readPairing({ rows, sums }: SummedRows, secretHash: string): StoredPairing | undefined {
  const [row] = rows<PairingRow>(`SELECT ${PAIRING} FROM peer_pairings WHERE secret_hash = ?`, secretHash)
  return row === undefined ? undefined : toPairing(row, sums)
}

/** Writes a pairing in the place of an older one with its secret. */
export function writePairing({ rows, sums }: SummedRows, pairing: StoredPairing): void {
  const { secretHash, label, projects, devices, expiresAtMs, usedBy } = pairing
  const values = sums.add([secretHash, label, JSON.stringify(projects), devices ? 1 : 0, expiresAtMs, usedBy])
  rows(`INSERT OR REPLACE INTO peer_pairings (${PAIRING}) VALUES (?, ?, ?, ?, ?, ?, ?)`, ...values)
}

/** Removes the pairings that have expired. */
export function deleteExpiredPairings({ rows }: TableRows, nowMs: number): void {
  rows('DELETE FROM peer_pairings WHERE expires_at_ms <= ?', nowMs)
}

/** Removes the pairings with a node, so that a code ends when the owner changes or removes the entry that it made. */
export function deletePairingsOf({ rows }: TableRows, endpointId: string): void {
  rows('DELETE FROM peer_pairings WHERE used_by = ?', endpointId)
}

/** A join of this node: what its owner asked for, and the code. */
export interface UnfinishedJoin {
  /** The node that made the code. */
  readonly endpointId: string
  /** The pairing code with its secret. */
  readonly code: string
  /** The addresses of this node that the owner has named; null for those at which it listens. */
  readonly addresses: readonly string[] | null
  /** Whether devices are exchanged. */
  readonly devices: boolean
  /** The label for the other node. */
  readonly label: string | null
  /** Unix time in milliseconds, by the clock of this node. */
  readonly begunAtMs: number
}

type JoinRow = [endpointId: string, code: string, options: string, begunAtMs: number, sum: number]
const JOIN = 'endpoint_id, code, options, begun_at_ms, sum'

/** The joins that have not ended. */
export function readJoins({ rows, sums }: SummedRows): readonly UnfinishedJoin[] {
  return rows<JoinRow>(`SELECT ${JOIN} FROM peer_joins`).map((row) => {
    sums.check(row)
    const [endpointId, code, options, begunAtMs] = row
    const wishes = JSON.parse(options) as Pick<UnfinishedJoin, 'addresses' | 'devices' | 'label'>
    return { endpointId, code, ...wishes, begunAtMs }
  })
}

/** Writes a join, in the place of an older one with the same code. */
export function writeJoin({ rows, sums }: SummedRows, join: UnfinishedJoin): void {
  const { endpointId, code, addresses, devices, label, begunAtMs } = join
  const values = sums.add([endpointId, code, JSON.stringify({ addresses, devices, label }), begunAtMs])
  rows(`INSERT OR REPLACE INTO peer_joins (${JOIN}) VALUES (?, ?, ?, ?, ?)`, ...values)
}

/** Removes the join by a code of a node, or all joins of the node. */
export function deleteJoins({ rows }: TableRows, endpointId: string, code?: string): void {
  if (code === undefined) rows('DELETE FROM peer_joins WHERE endpoint_id = ?', endpointId)
  else rows('DELETE FROM peer_joins WHERE endpoint_id = ? AND code = ?', endpointId, code)
}

/** What was seen of one peer. */
export interface SeenPeer {
  readonly endpointId: string
  /** Unix time in milliseconds. */
  readonly lastSeenAtMs: number
  /** The last known heads of the peer, by project. */
  readonly heads: Readonly<Record<string, readonly string[]>>
}

type SeenRow = [endpointId: string, lastSeenAtMs: number, heads: string, sum: number]
const SEEN = 'endpoint_id, last_seen_at_ms, heads, sum'

/** What was seen of all peers. */
export function readSeen({ rows, sums }: SummedRows): readonly SeenPeer[] {
  return rows<SeenRow>(`SELECT ${SEEN} FROM peer_seen`).map((row) => {
    sums.check(row)
    const [endpointId, lastSeenAtMs, heads] = row
    return { endpointId, lastSeenAtMs, heads: JSON.parse(heads) as SeenPeer['heads'] }
  })
}

/** Writes what was seen of a peer, in the place of what was there. */
export function writeSeen({ rows, sums }: SummedRows, { endpointId, lastSeenAtMs, heads }: SeenPeer): void {
  const values = sums.add([endpointId, lastSeenAtMs, JSON.stringify(heads)])
  rows(`INSERT OR REPLACE INTO peer_seen (${SEEN}) VALUES (?, ?, ?, ?)`, ...values)
}

/** Removes what was seen of peers that are not among these. */
export function deleteSeenExcept({ rows }: TableRows, endpointIds: ReadonlySet<string>): void {
  for (const [endpointId] of rows<[string]>('SELECT endpoint_id FROM peer_seen'))
    if (!endpointIds.has(endpointId)) rows('DELETE FROM peer_seen WHERE endpoint_id = ?', endpointId)
}

function toPairing(row: PairingRow, sums: RowSums): StoredPairing {
  sums.check(row)
  const [secretHash, label, projects, devices, expiresAtMs, usedBy] = row
  return {
    secretHash,
    label,
    projects: JSON.parse(projects) as string[],
    devices: devices === 1,
    expiresAtMs,
    usedBy,
  }
}
