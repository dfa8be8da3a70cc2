/** Enters the other node of a pairing. */
import { isSvcError } from '../../../../core/declare/errors.ts'
import type { Ledger } from '../../../sync/capabilities.ts'
import type { PeerRegistry } from '../../registry/capabilities.ts'
import type { PeerParts } from '../../registry/entry.ts'
import type { PeerChange } from '../../registry/peer-registry.ts'
import { checkEntry } from './pairing-requests.ts'

/**
 * Makes the entry of a node, or adds projects to it and replaces its addresses and label. A null label and an empty
 * list of addresses change nothing. An entry of the settings is never changed.
 */
export type EnterPeer = (ledger: Ledger, entry: PeerParts) => void

/**
 * What entering a node would change; undefined if its entry is one of the settings. Throws `malformed_request` for too
 * many projects.
 */
export type EntryChange = (ledger: Pick<Ledger, 'rows' | 'sums'>, entry: PeerParts) => PeerChange | undefined

/** Creates it. */
export function createEntryChange(registry: Pick<PeerRegistry, 'entryIn'>, ownId: () => string): EntryChange {
  return (ledger, { endpointId, addresses, label, projects: added }) => {
    const before = registry.entryIn(ledger, endpointId)
    if (before?.source === 'settings') return undefined
    const projects = [...new Set([...(before?.projects ?? []), ...added])].sort()
    checkEntry({ endpointId, addresses: [], label: null, projects }, ownId())
    return { projects, addresses: addresses.length === 0 ? undefined : addresses, label: label ?? undefined }
  }
}

/** Creates it. It throws `peer_label_taken`, and `malformed_request` for too many projects. */
export function createEnterPeer(registry: Pick<PeerRegistry, 'changeIn'>, entryChange: EntryChange): EnterPeer {
  return (ledger, entry) => {
    const change = entryChange(ledger, entry)
    if (change !== undefined) registry.changeIn(ledger, entry.endpointId, change)
  }
}

/** Enters a node, without its label if another peer has been given the label in the meantime. */
export function enterWithFreeLabel(enter: EnterPeer, ledger: Ledger, entry: PeerParts): void {
  try {
    enter(ledger, entry)
  } catch (error) {
    if (!isSvcError(error, 'peer_label_taken')) throw error
    enter(ledger, { ...entry, label: null })
  }
}
