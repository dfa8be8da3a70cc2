/** The open pairings of a node: each lets the holder of one secret enter itself, once and for a short time. */
import type { Ledger, LedgerReads, ReceiptStore } from '../../sync/capabilities.ts'

/** A pairing as the owner of this node has opened it. */
export interface Pairing {
  /** SHA-256 of the secret, in hex. The secret itself is not kept. */
  readonly secretHash: string
  /** The label of the entry that the pairing makes. */
  readonly label: string | null
  /** What the joining node may read and hand in. */
  readonly projects: readonly string[]
  /** Whether devices are exchanged. */
  readonly devices: boolean
  /** Unix time in milliseconds, by the clock of this node. */
  readonly expiresAtMs: number
}

/** Why a secret opens nothing. */
export type PairingMisfit = 'unknown' | 'expired' | 'used'

/** The pairings over the store. */
export interface Pairings {
  /** Opens a pairing and drops the expired ones. Returns false if too many are open. */
  open(pairing: Pairing): Promise<boolean>
  /** Whether an unused pairing is open. */
  isOpen(): Promise<boolean>
  /**
   * Uses a pairing up for one node. The same node may use it again until it expires, so that a node that lost the answer
   * can repeat its request.
   */
  useIn(ledger: Ledger, secretHash: string, endpointId: string): Pairing | PairingMisfit
}

type Row = [
  secretHash: string,
  label: string | null,
  projects: string,
  devices: number,
  expiresAtMs: number,
  usedBy: string | null,
  sum: number,
]
const COLUMNS = 'secret_hash, label, projects, devices, expires_at_ms, used_by, sum'
const PUT = `INSERT OR REPLACE INTO peer_pairings (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`
/** Pairings that are open at once. */
const MAX_OPEN = 16

/** Creates the pairings over a store. */
export function createPairings(store: Pick<ReceiptStore, 'read' | 'write'>, now: () => number): Pairings {
  const openRows = ({ rows, sums }: Pick<LedgerReads, 'rows' | 'sums'>): readonly Row[] => {
    const found = rows<Row>(`SELECT ${COLUMNS} FROM peer_pairings WHERE expires_at_ms > ?`, now())
    for (const row of found) sums.check(row)
    return found
  }
  return {
    open: ({ secretHash, label, projects, devices, expiresAtMs }) =>
      store.write((ledger) => {
        ledger.rows('DELETE FROM peer_pairings WHERE expires_at_ms <= ?', now())
        if (openRows(ledger).length >= MAX_OPEN) return false
        const values = [secretHash, label, JSON.stringify(projects), devices ? 1 : 0, expiresAtMs, null]
        ledger.rows(PUT, ...ledger.sums.add(values))
        return true
      }),
    isOpen: () => store.read((ledger) => openRows(ledger).some(([, , , , , usedBy]) => usedBy === null)),
    useIn(ledger, secretHash, endpointId) {
      const [row] = ledger.rows<Row>(`SELECT ${COLUMNS} FROM peer_pairings WHERE secret_hash = ?`, secretHash)
      if (row === undefined) return 'unknown'
      ledger.sums.check(row)
      const [, label, projects, devices, expiresAtMs, usedBy] = row
      if (usedBy !== null && usedBy !== endpointId) return 'used'
      if (expiresAtMs <= now()) return 'expired'
      if (usedBy === null)
        ledger.rows(PUT, ...ledger.sums.add([secretHash, label, projects, devices, expiresAtMs, endpointId]))
      return { secretHash, label, projects: JSON.parse(projects) as string[], devices: devices === 1, expiresAtMs }
    },
  }
}

/** Drops the pairings that a node has used, so that a removed peer cannot enter itself again. */
export function dropPairingsOf(ledger: Pick<Ledger, 'rows'>, endpointId: string): void {
  ledger.rows('DELETE FROM peer_pairings WHERE used_by = ?', endpointId)
}
