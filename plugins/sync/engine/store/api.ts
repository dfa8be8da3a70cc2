/** What the engine asks of a store. */
import type { Device, Frontier, LocalState, PeerRecord, ProjectReads, ProjectStates, ReceiptEvent } from '../../api.ts'
import type { SqlRow, SqlValue } from './driver.ts'

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
  /** The prepared envelope as JSON while it may still have to be sent. */
  readonly envelope: string | null
  readonly lastSequence: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly broadcastAtMs: number | null
  /** What the push pinned of its project; null where the project has no commands. */
  readonly frontier: Frontier | null
  readonly revision: number | null
  /** The endpoint id of the peer that it came from; null for a push of this node. */
  readonly origin: string | null
}

/** One envelope that a peer has not taken yet. */
export interface OutboxRow {
  readonly receiptNo: number
  readonly endpointId: string
  readonly attempts: number
  readonly nextAttemptAtMs: number
  /** How many events told of a failed attempt, and the code of the last. */
  readonly told: number
  readonly toldCode: string | null
}

/** The sum that a stored row has as its last value. */
export interface RowSums {
  /** The values with their sum behind them. */
  add(values: readonly SqlValue[]): readonly SqlValue[]
  /** Throws `receipt_store_unavailable` if the last value of a row is not the sum of the others. */
  check(row: readonly SqlValue[]): void
}

/** Reads of the store. Everything seen is on disk, or commits together with what the reader writes. */
export interface LedgerReads extends ProjectReads {
  push(pushId: string): StoredPush | undefined
  pushByNo(no: number): StoredPush | undefined
  /** The pushes to a domain that were decided and have not been seen applied, in their order. */
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
  /** Pushes that were broadcast at `atMs` or before and still hold their envelope, the oldest first. */
  openSince(atMs: number, limit: number): readonly number[]
  /** The sums that guard stored rows against damage, for tables of other features. */
  readonly sums: RowSums
  /** Rows of another statement that reads; it is compiled once. */
  rows<Row extends SqlRow>(sql: string, ...parameters: readonly SqlValue[]): readonly Row[]
}

/** Reads and writes inside one transaction. */
export interface Ledger extends LedgerReads, ProjectStates {
  insertPush(push: Omit<StoredPush, 'no'>): number
  updatePush(push: StoredPush): void
  /** Removes a receipt with all that belongs to it. */
  dropPush(no: number): void
  /** Adds at least one event. */
  insertEvents(no: number, events: readonly ReceiptEvent[]): void
  putOutbox(rows: readonly OutboxRow[]): void
  dropOutbox(no: number, endpointId: string): void
  /** Adds a device and the projects it names. */
  enrol(device: Device, projects: readonly string[]): void
  revoke(keyId: string, atMs: number, reason: string | null): void
}

/** A durable store with grouped commits. */
export interface ReceiptStore {
  /** Runs reads. Rejects with `receipt_store_unavailable` where the store cannot be read. */
  read<T>(work: (ledger: LedgerReads) => T): Promise<T>
  /**
   * Runs `work` in a transaction and resolves once that is on disk. What `work` throws undoes its own writes alone and
   * rejects this call; a failure of the store undoes the whole group and is `receipt_store_unavailable`.
   */
  write<T>(work: (ledger: Ledger) => T): Promise<T>
  close(): Promise<void>
}
