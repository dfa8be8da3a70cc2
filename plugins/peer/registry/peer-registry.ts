/** The peers that the owner of a node has entered. An entry of the settings wins over an entry of the command line. */

import { defineErrors, type ErrorCatalogue } from '../../../core/declare/errors.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import type { Ledger, LedgerReads, ReceiptStore } from '../../sync/capabilities.ts'
import type { PeerEntry } from '../api.ts'
import type { PeerParts } from './entry.ts'
import {
  deleteEntry,
  deleteJoins,
  deletePairingsOf,
  readEntries,
  readEntry,
  readJoins,
  type SummedRows,
  writeEntry,
} from './statements.ts'

/** An error code of feature `peer.registry`. Peers get `rate_limited`; the commands of the owner get the others. */
export type RegistryCode = 'peer_unknown' | 'peer_label_taken' | 'peer_read_only' | 'rate_limited'

/** Creates the errors of feature `peer.registry`. */
export const failRegistry: ErrorCatalogue<RegistryCode> = defineErrors({
  peer_unknown: { message: 'No peer is entered under this id or label.', hint: 'svc peer list shows all of them.' },
  peer_label_taken: {
    status: 409,
    message: 'Another peer has this label.',
    hint: 'Choose another --label.',
  },
  rate_limited: httpFail.rows.rate_limited,
  peer_read_only: { message: 'This peer is entered by the setting peer.peers.', hint: 'Change it there.' },
})

/** Parts of an entry to change. An undefined part is not changed. */
export type PeerChange = { readonly [N in keyof Omit<PeerParts, 'endpointId'>]?: PeerParts[N] | undefined }

/** The entries of a node. Each call reads the store, so that a change by a command has effect at once. */
export interface PeerRegistry {
  /** The entry of an endpoint id. */
  entry(endpointId: string): Promise<PeerEntry | undefined>
  /** The same inside a transaction. */
  entryIn(ledger: SummedRows, endpointId: string): PeerEntry | undefined
  /** All entries, sorted by endpoint id. */
  list(): Promise<readonly PeerEntry[]>
  /** The same inside a transaction. */
  listIn(ledger: SummedRows): readonly PeerEntry[]
  /** The entry of an endpoint id or a label. Rejects with `peer_unknown`. */
  find(name: string): Promise<PeerEntry>
  /**
   * Writes an entry in the place of an older one with its endpoint id, and ends the pairing code that the peer has used
   * and a join that has not ended. Rejects with `peer_label_taken` or `peer_read_only`.
   */
  put(parts: PeerParts): Promise<void>
  /**
   * Adds an entry, or changes the given parts of an entry and keeps the others. Returns the parts of the entry.
   * Rejects as `put` does.
   */
  change(endpointId: string, parts: PeerChange): Promise<PeerParts>
  /** The same inside a transaction. Throws as `put` rejects. */
  changeIn(ledger: Ledger, endpointId: string, parts: PeerChange): PeerParts
  /** Replaces the entries of the settings. */
  set(entries: readonly PeerParts[]): void
  /**
   * Removes the entry of an endpoint id or a label, and ends a join that has not ended. Rejects with `peer_unknown` if
   * there is neither, or with `peer_read_only`.
   */
  remove(name: string): Promise<PeerEntry>
}

/** Creates the registry over a store. `set` has the entries of the settings. */
export function createPeerRegistry(
  store: Pick<ReceiptStore, 'read' | 'write'>,
  set: readonly PeerParts[],
  now: () => number,
): PeerRegistry {
  let fromSettings = toEntries(set)
  let labels = toLabels(set)
  /** If the settings have given the label of a stored entry to another peer, the stored entry has no label. */
  const toStored = (parts: PeerParts): PeerEntry => ({
    ...parts,
    label: labels.has(parts.label) ? null : parts.label,
    source: 'cli',
  })
  const entryIn: PeerRegistry['entryIn'] = (ledger, endpointId) => {
    const configured = fromSettings.get(endpointId)
    if (configured !== undefined) return configured
    const stored = readEntry(ledger, endpointId)
    return stored && toStored(stored)
  }
  const all = (ledger: SummedRows): readonly PeerEntry[] => {
    const stored = readEntries(ledger).filter(({ endpointId }) => !fromSettings.has(endpointId))
    const entries = [...fromSettings.values(), ...stored.map(toStored)]
    return entries.sort((one, other) => (one.endpointId < other.endpointId ? -1 : 1))
  }
  const findIn = (ledger: LedgerReads, name: string): PeerEntry => {
    const entry = all(ledger).find(({ endpointId, label }) => endpointId === name || label === name)
    if (entry === undefined) throw failRegistry('peer_unknown')
    return entry
  }
  const requireChangeable = (endpointId: string): void => {
    if (fromSettings.has(endpointId)) throw failRegistry('peer_read_only')
  }
  const audit = (ledger: Ledger, subject: string, outcome: string): void =>
    void ledger.audit?.append({ atMs: now(), kind: 'peer', project: null, subject, actor: 'owner', outcome })
  const putIn = (ledger: Ledger, parts: PeerParts): void => {
    const { endpointId, label } = parts
    requireChangeable(endpointId)
    const other = label === null ? undefined : all(ledger).find((entry) => entry.label === label)
    if (other !== undefined && other.endpointId !== endpointId) throw failRegistry('peer_label_taken')
    writeEntry(ledger, parts)
    audit(ledger, endpointId, 'ok')
  }
  const changeIn: PeerRegistry['changeIn'] = (ledger, endpointId, parts) => {
    const before = readEntry(ledger, endpointId)
    const changed: PeerParts = {
      endpointId,
      addresses: parts.addresses ?? before?.addresses ?? [],
      label: parts.label ?? before?.label ?? null,
      projects: parts.projects ?? before?.projects ?? [],
    }
    putIn(ledger, changed)
    return changed
  }

  return {
    set: (entries) => {
      fromSettings = toEntries(entries)
      labels = toLabels(entries)
    },
    entryIn,
    listIn: all,
    changeIn,
    entry: (endpointId) => store.read((ledger) => entryIn(ledger, endpointId)),
    list: () => store.read(all),
    find: (name) => store.read((ledger) => findIn(ledger, name)),
    put: (parts) => byOwner(store, parts.endpointId, (ledger) => putIn(ledger, parts)),
    change: (endpointId, parts) => byOwner(store, endpointId, (ledger) => changeIn(ledger, endpointId, parts)),
    remove: (name) =>
      store.write((ledger) => {
        const joining = readJoins(ledger).find(({ endpointId }) => endpointId === name)
        const entry = joining === undefined ? findIn(ledger, name) : (entryIn(ledger, name) ?? toEmptyEntry(name))
        // Of a peer of the settings a join can end, and nothing else.
        if (joining === undefined) requireChangeable(entry.endpointId)
        if (!fromSettings.has(entry.endpointId)) deleteEntry(ledger, entry.endpointId)
        endPairings(ledger, entry.endpointId)
        audit(ledger, entry.endpointId, 'removed')
        return entry
      }),
  }
}

function toEmptyEntry(endpointId: string): PeerEntry {
  return { endpointId, addresses: [], label: null, projects: [], source: 'cli' }
}

/** Ends the code that a peer has used, and the joins by its codes that have not ended. */
function endPairings(ledger: Ledger, endpointId: string): void {
  deletePairingsOf(ledger, endpointId)
  deleteJoins(ledger, endpointId)
}

/** Runs a change of the owner, which ends the pairings with the peer. */
function byOwner<T>(store: Pick<ReceiptStore, 'write'>, endpointId: string, work: (ledger: Ledger) => T): Promise<T> {
  return store.write((ledger) => {
    endPairings(ledger, endpointId)
    return work(ledger)
  })
}

/** The entries of the settings by endpoint id. */
function toEntries(set: readonly PeerParts[]): ReadonlyMap<string, PeerEntry> {
  return new Map(set.map((parts) => [parts.endpointId, { ...parts, source: 'settings' }]))
}

function toLabels(set: readonly PeerParts[]): ReadonlySet<string | null> {
  return new Set(set.map(({ label }) => label))
}
