/** The peers that the owner of a node has entered: those of the settings win over those of the command line. */
import { httpFail } from '../../../core/catalogue.ts'
import { defineErrors, type ErrorCatalogue } from '../../../core/errors.ts'
import type { Ledger, LedgerReads, ReceiptStore, RowSums } from '../../sync/capabilities.ts'
import type { PeerEntry } from '../api.ts'
import type { PeerParts } from './entry.ts'
import { dropPairingsOf } from './pairings.ts'

/** A code of what is kept of peers; of the commands, but for the last, which a peer hears that hands in too much. */
export type RegistryCode = 'peer_unknown' | 'peer_label_taken' | 'peer_read_only' | 'rate_limited'

/** Makes the errors of what is kept of peers. */
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

/** Parts of an entry to change; a part that is undefined stays as it is. */
export type PeerChange = { readonly [N in keyof Omit<PeerParts, 'endpointId'>]?: PeerParts[N] | undefined }

/** The entries of a node. Asked anew each time, so that what the owner changes holds at once. */
export interface PeerRegistry {
  /** By id. */
  entry(endpointId: string): Promise<PeerEntry | undefined>
  /** The same inside a transaction. */
  entryIn(ledger: Pick<LedgerReads, 'rows' | 'sums'>, endpointId: string): PeerEntry | undefined
  /** All of them, by id. */
  list(): Promise<readonly PeerEntry[]>
  /** By id or label; rejects with `peer_unknown`. */
  find(name: string): Promise<PeerEntry>
  /** Enters a peer, in the place of an earlier entry of the same id. Rejects with `peer_label_taken`, `peer_read_only`. */
  put(parts: PeerParts): Promise<void>
  /**
   * Enters a peer. If it has an entry, changes the given parts of that entry and keeps the others. Returns the entry.
   * Rejects as `put` does.
   */
  change(endpointId: string, parts: PeerChange): Promise<PeerParts>
  /** The same inside a transaction. Throws as `put` rejects. */
  changeIn(ledger: Ledger, endpointId: string, parts: PeerChange): PeerParts
  /** Replaces the entries of the settings. */
  set(entries: readonly PeerParts[]): void
  /** Rejects with `peer_unknown`, `peer_read_only`. */
  remove(name: string): Promise<PeerEntry>
}

type Row = [endpointId: string, label: string | null, addresses: string, projects: string, sum: number]
const COLUMNS = 'endpoint_id, label, addresses, projects, sum'

/** The registry over a store. */
export function createPeerRegistry(
  store: Pick<ReceiptStore, 'read' | 'write'>,
  set: readonly PeerParts[],
  now: () => number,
): PeerRegistry {
  let fromSettings = toEntries(set)
  let labels = toLabels(set)
  /** A label that the settings have given to another since is that one's. */
  const toKept = (sums: RowSums, row: Row): PeerEntry => {
    sums.check(row)
    const entry = toEntry(row)
    return labels.has(entry.label) ? { ...entry, label: null } : entry
  }
  const entryIn: PeerRegistry['entryIn'] = ({ rows, sums }, endpointId) =>
    fromSettings.get(endpointId) ??
    rows<Row>(`SELECT ${COLUMNS} FROM peers WHERE endpoint_id = ?`, endpointId).map((row) => toKept(sums, row))[0]
  const all = ({ rows, sums }: Pick<LedgerReads, 'rows' | 'sums'>): readonly PeerEntry[] => {
    const kept = rows<Row>(`SELECT ${COLUMNS} FROM peers`).map((row) => toKept(sums, row))
    const entries = [...fromSettings.values(), ...kept.filter(({ endpointId }) => !fromSettings.has(endpointId))]
    return entries.sort((one, other) => (one.endpointId < other.endpointId ? -1 : 1))
  }
  const findIn = (ledger: LedgerReads, name: string): PeerEntry => {
    const found = all(ledger).find(({ endpointId, label }) => endpointId === name || label === name)
    if (found === undefined) throw failRegistry('peer_unknown')
    return found
  }
  const changeable = (id: string): void => {
    if (fromSettings.has(id)) throw failRegistry('peer_read_only')
  }
  const tell = ({ audit }: Ledger, subject: string, outcome: string): void =>
    void audit?.append({ atMs: now(), kind: 'peer', project: null, subject, actor: 'owner', outcome })
  const putIn = (ledger: Ledger, { endpointId, label, addresses, projects }: PeerParts): void => {
    changeable(endpointId)
    const other = label === null ? undefined : all(ledger).find((entry) => entry.label === label)
    if (other !== undefined && other.endpointId !== endpointId) throw failRegistry('peer_label_taken')
    const values = ledger.sums.add([endpointId, label, JSON.stringify(addresses), JSON.stringify(projects)])
    ledger.rows(`INSERT OR REPLACE INTO peers (${COLUMNS}) VALUES (?, ?, ?, ?, ?)`, ...values)
    tell(ledger, endpointId, 'ok')
  }
  const changeIn: PeerRegistry['changeIn'] = (ledger, endpointId, parts) => {
    const [row] = ledger.rows<Row>(`SELECT ${COLUMNS} FROM peers WHERE endpoint_id = ?`, endpointId)
    if (row !== undefined) ledger.sums.check(row)
    const before = row === undefined ? undefined : toEntry(row)
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
    changeIn,
    entry: (endpointId) => store.read((ledger) => entryIn(ledger, endpointId)),
    list: () => store.read(all),
    find: (name) => store.read((ledger) => findIn(ledger, name)),
    put: (parts) => store.write((ledger) => putIn(ledger, parts)),
    change: (endpointId, parts) => store.write((ledger) => changeIn(ledger, endpointId, parts)),
    remove: (name) =>
      store.write((ledger) => {
        const found = findIn(ledger, name)
        changeable(found.endpointId)
        ledger.rows('DELETE FROM peers WHERE endpoint_id = ?', found.endpointId)
        dropPairingsOf(ledger, found.endpointId)
        tell(ledger, found.endpointId, 'removed')
        return found
      }),
  }
}

/** Entries of the settings by id. */
function toEntries(set: readonly PeerParts[]): ReadonlyMap<string, PeerEntry> {
  return new Map(set.map((parts) => [parts.endpointId, { ...parts, source: 'settings' }]))
}

function toLabels(set: readonly PeerParts[]): ReadonlySet<string | null> {
  return new Set(set.map(({ label }) => label))
}

function toEntry([endpointId, label, addresses, projects]: Row): PeerEntry {
  return {
    endpointId,
    addresses: JSON.parse(addresses) as string[],
    label,
    projects: JSON.parse(projects) as string[],
    source: 'cli',
  }
}
