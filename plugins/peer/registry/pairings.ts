/** The open pairings of a node. Each lets the holder of one secret enter itself, once and for a short time. */
import type { Ledger, ReceiptStore } from '../../sync/capabilities.ts'
import { deleteExpiredPairings, type Pairing, readPairing, validPairings, writePairing } from './statements.ts'

export type { Pairing } from './statements.ts'

/** Why a secret cannot be used. */
export type PairingMisfit = 'unknown' | 'expired' | 'used'

/** The pairings over the store. */
export interface Pairings {
  /** Opens a pairing and removes the expired ones. Returns false if too many are open. */
  open(pairing: Pairing): Promise<boolean>
  /** Whether an unused pairing is open. */
  isOpen(): Promise<boolean>
  /**
   * Uses a pairing up for one node. The same node may use it again until it expires, so that a node that lost the response
   * can repeat its request.
   */
  useIn(ledger: Ledger, secretHash: string, endpointId: string): Pairing | PairingMisfit
}

/** Pairings that are open at once. */
const MAX_OPEN = 16

/** Creates the pairings over a store. */
export function createPairings(store: Pick<ReceiptStore, 'read' | 'write'>, now: () => number): Pairings {
  return {
    open: (pairing) =>
      store.write((ledger) => {
        deleteExpiredPairings(ledger, now())
        if (validPairings(ledger, now()).length >= MAX_OPEN) return false
        writePairing(ledger, { ...pairing, usedBy: null })
        return true
      }),
    isOpen: () => store.read((ledger) => validPairings(ledger, now()).some(({ usedBy }) => usedBy === null)),
    useIn(ledger, secretHash, endpointId) {
      const stored = readPairing(ledger, secretHash)
      if (stored === undefined) return 'unknown'
      const { usedBy, ...pairing } = stored
      if (usedBy !== null && usedBy !== endpointId) return 'used'
      if (pairing.expiresAtMs <= now()) return 'expired'
      if (usedBy === null) writePairing(ledger, { ...pairing, usedBy: endpointId })
      return pairing
    },
  }
}
