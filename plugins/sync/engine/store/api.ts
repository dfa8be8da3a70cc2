/** The store, as the engine uses it. */
import type { NodeStore, Tables } from '../../../store/api.ts'
import type { Device, Frontier, LocalState, PeerRecord, ProjectReads, ProjectStates, ReceiptEvent } from '../../api.ts'

/** A stored push without its events. */
export interface StoredPush {
  /** Row number; never shown. */
  readonly no: number
  readonly pushId: string
  readonly hash: string
  readonly domain: string
  readonly targets: readonly string[]
  readonly localState: LocalState
  readonly perPeer: Readonly<Record<string, PeerRecord>>
  readonly signerKeyId: string | null
  /** Standard base64 with padding, whatever the request had. */
  readonly signature: string | null
  /** The prepared envelope as JSON, as long as it may have to be sent. */
  readonly envelope: string | null
  readonly lastSequence: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly broadcastAtMs: number | null
  /** The frontier that the push pinned; null if its project has no commands. */
  readonly frontier: Frontier | null
  readonly revision: number | null
  /** The endpoint id of the peer that sent the push; null for a push of this node. */
  readonly origin: string | null
}

/** One envelope that a peer has not accepted yet. */
export interface OutboxRow {
  readonly receiptNo: number
  readonly endpointId: string
  readonly attempts: number
  readonly nextAttemptAtMs: number
  /** Number of events about failed attempts, and the code of the last one. */
  readonly told: number
  readonly toldCode: string | null
}

/** Reads of the store. They see what is on disk and, inside a transaction, its own writes. */
export interface LedgerReads extends ProjectReads, Tables {
  push(pushId: string): StoredPush | undefined
  pushByNo(no: number): StoredPush | undefined
  /** The pushes to a domain that are prepared and not known to be applied, in order. */
  preparedPushes(domain: string): readonly StoredPush[]
  /** Events with a sequence greater than `after`, in order and without a gap, at most `limit`. */
  events(push: Pick<StoredPush, 'no' | 'lastSequence'>, after: number, limit: number): readonly ReceiptEvent[]
  /** Bytes of all events of a push as JSON, with the commas between them. */
  eventBytes(no: number): number
  device(keyId: string): Device | undefined
  devices(): readonly Device[]
  hasProject(project: string): boolean
  outboxOf(no: number): readonly OutboxRow[]
  outboxRow(no: number, endpointId: string): OutboxRow | undefined
  /** Numbers of pushes that were broadcast at `atMs` or before and still have their envelope, oldest first. */
  openSince(atMs: number, limit: number): readonly number[]
}

/** Reads and writes inside one transaction. */
export interface Ledger extends LedgerReads, ProjectStates {
  insertPush(push: Omit<StoredPush, 'no'>): number
  updatePush(push: StoredPush): void
  /** Removes a receipt with its events and its rows of the outbox. */
  dropPush(no: number): void
  /** Adds at least one event. */
  insertEvents(no: number, events: readonly ReceiptEvent[]): void
  putOutbox(rows: readonly OutboxRow[]): void
  dropOutbox(no: number, endpointId: string): void
  /** Adds a device and the projects it names, or puts it in the place of the one with its key. */
  enrol(device: Device, projects: readonly string[]): void
  revoke(keyId: string, atMs: number, reason: string | null): void
}

/** The store of the node, with what the engine keeps in it. */
export interface ReceiptStore extends NodeStore {
  read<T>(work: (ledger: LedgerReads) => T): Promise<T>
  write<T>(work: (ledger: Ledger) => T): Promise<T>
  /** Rejects while nothing can be written, where the store can tell. */
  checkWritable?(): Promise<void>
  /** Whether another process keeps the log of the store from being emptied, where the store can tell. */
  isLogHeld?(): boolean
  close(): Promise<void>
}
