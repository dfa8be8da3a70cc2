/** The open pairings of a node. Each lets the holder of one secret enter itself, once and for a short time. */
import type { Ledger, ReceiptStore } from '../../sync/capabilities.ts'
import {
  deleteExpiredPairings,
  type Pairing,
  readPairing,
  type StoredPairing,
  type SummedRows,
  validPairings,
  writePairing,
} from './statements.ts'

export type { Pairing } from './statements.ts'

/** Why a secret cannot be used. */
export type PairingMisfit = 'unknown' | 'expired' | 'used'

/** A pairing that a node may use. */
export interface PairingUse {
  readonly pairing: Pairing
  /** Whether this is the first use. Every further one is only answered: it writes nothing. */
  readonly isFirst: boolean
}

/** The pairings over the store. */
export interface Pairings {
  /**
   * Opens a pairing for ten minutes and removes the expired ones. Returns when it expires; undefined if too many are
   * open.
   */
  open(pairing: Omit<Pairing, 'expiresAtMs'>): Promise<number | undefined>
  /** Whether an unused pairing is open. */
  isOpen(): Promise<boolean>
  /**
   * Uses a pairing up for one node. The same node may show the secret again until the pairing expires, so that a node
   * that lost the response can repeat its request. `devices` is whether the node exchanges devices.
   */
  useIn(ledger: Ledger, use: PairingKey & { readonly devices: boolean }): PairingUse | PairingMisfit
  /** Whether a secret has been used here, by either side. */
  isUsedIn(ledger: Ledger, secretHash: string): boolean
  /**
   * Records that this node joins another one, until the pairing may have expired or the owner has changed the entry of
   * the other node.
   */
  joinIn(ledger: Ledger, join: PairingKey & { readonly projects: readonly string[] }): void
}

/** A secret, by its hash, and the other node. */
export interface PairingKey {
  readonly secretHash: string
  readonly endpointId: string
}

/** Ten minutes: long enough to carry a code to another machine. */
export const PAIRING_LIFE_MS = 600_000
/** Pairings that are open at once. */
const MAX_OPEN = 16

/** Creates the pairings over a store. */
export function createPairings(store: Pick<ReceiptStore, 'read' | 'write'>, now: () => number): Pairings {
  const openIn = (ledger: SummedRows): readonly StoredPairing[] =>
    validPairings(ledger, now()).filter(({ usedBy }) => usedBy === null)
  return {
    open: (pairing) =>
      store.write((ledger) => {
        deleteExpiredPairings(ledger, now())
        if (openIn(ledger).length >= MAX_OPEN) return undefined
        const expiresAtMs = now() + PAIRING_LIFE_MS
        writePairing(ledger, { ...pairing, expiresAtMs, usedBy: null })
        return expiresAtMs
      }),
    isOpen: () => store.read((ledger) => openIn(ledger).length > 0),
    useIn(ledger, { secretHash, endpointId, devices }) {
      const stored = readPairing(ledger, secretHash)
      if (stored === undefined) return 'unknown'
      const { usedBy, ...pairing } = stored
      if (usedBy !== null && usedBy !== endpointId) return 'used'
      if (pairing.expiresAtMs <= now()) return 'expired'
      if (usedBy !== null) return { pairing, isFirst: false }
      const used = { ...pairing, devices: pairing.devices && devices }
      writePairing(ledger, { ...used, usedBy: endpointId })
      return { pairing: used, isFirst: true }
    },
    isUsedIn(ledger, secretHash) {
      deleteExpiredPairings(ledger, now())
      return (readPairing(ledger, secretHash)?.usedBy ?? null) !== null
    },
    joinIn(ledger, { secretHash, endpointId, projects }) {
      const expiresAtMs = now() + PAIRING_LIFE_MS
      // It is used, and so opens nothing here.
      writePairing(ledger, { secretHash, label: null, projects, devices: false, expiresAtMs, usedBy: endpointId })
    },
  }
}
