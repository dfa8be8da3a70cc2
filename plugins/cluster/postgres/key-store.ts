import { httpFail } from '../../../core/kernel/catalogue.ts'
import type { Clock } from '../../../core/kernel/environment.ts'
import type { Awaitable } from '../../../core/kernel/values.ts'
import type { AllKeys, KeyBounds, KeyDraft, KeyEnding, KeyOwner, KeyRecord, KeyStore } from '../../auth/api.ts'
import type { Database, Transaction } from './database.ts'
import { kindOf } from './errors.ts'
import { Recent } from './recent.ts'
import type { KeptRecord } from './rows.ts'
import {
  addKey,
  changesAfter,
  DEAD_MS,
  endingKeys,
  endKeyBy,
  eraseKeys,
  hasRoom,
  lastChange,
  listKeys,
  pageOfKeys,
  readKey,
  revokeKey,
  tenantsWithKeys,
  touchKeys,
} from './statements.ts'

/** What `SharedKeyStore` works with. */
export interface SharedStoreOptions {
  readonly database: Database
  readonly clock: Clock
  /** How many records are cached, and how many are read at a time. */
  readonly maxRecords: number
  readonly maxReads: number
  /** How long a cached record is valid while PostgreSQL is away, in milliseconds. */
  readonly offlineMs: number
  /** Reads what else follows the same numbers, in the same request for changes. */
  readonly alsoRead: () => Promise<void>
  /** Called when a request gets no answer. */
  readonly onLost: () => void
  /** Called when PostgreSQL begins to refuse the last uses of keys, which are tried again. */
  readonly onUsesRefused: (error: unknown) => void
}

/** How long after an answer of PostgreSQL a cached record is valid without being read again, in milliseconds. */
const FRESH_MS = 1_000

/** How many uses of keys may wait to be written. */
const MAX_TOUCHED = 10_000

/**
 * The keys of a cluster. Records are cached. Every change in the database has a number, and each node follows the
 * numbers. While PostgreSQL answers, a cached record is used only within a second of the last answer, so that no node
 * accepts a key for longer than that after it was revoked on another one. While PostgreSQL is away, cached records are
 * used for `offlineMs`.
 */
export class SharedKeyStore implements KeyStore {
  readonly durable = true
  readonly #options: SharedStoreOptions
  readonly #records: Recent<KeptRecord>
  readonly #reading = new Map<string, Promise<KeyRecord | undefined>>()
  readonly #listeners = new Set<(id: string) => void>()
  #touched = new Map<string, number>()
  /** Number of the last change seen; null before the first answer. */
  #seq: number | null = null
  /** Grows with every change: a record that was read before it grew may be out of date. */
  #generation = 0
  /** When the last answered request was sent, on the monotonic clock. */
  #answeredAt = -Infinity
  #away = true
  #areUsesRefused = false

  constructor(options: SharedStoreOptions) {
    this.#options = options
    this.#records = new Recent(options.maxRecords)
  }

  /** Whether the last request got no answer. */
  get away(): boolean {
    return this.#away
  }

  /** How long ago the last answered request was sent, in milliseconds; infinite before the first one. */
  get ageMs(): number {
    return this.#options.clock.monotonic() - this.#answeredAt
  }

  /** Throws `overloaded` if revocations may exist that this node has not read for `offlineMs`. */
  readonly checkAge = (): void => {
    if (this.ageMs >= Math.max(FRESH_MS, this.#options.offlineMs)) throw unavailable()
  }

  get(id: string): Awaitable<KeyRecord | undefined> {
    const record = this.#records.get(id)
    if (record === undefined && !isId(id)) return undefined
    const age = this.#options.clock.monotonic() - this.#answeredAt
    if (record !== undefined && (age < FRESH_MS || (this.#away && age < this.#options.offlineMs))) return record
    if (this.#away) throw unavailable()
    return this.#read(id)
  }

  async list(owner: KeyOwner): Promise<readonly KeyRecord[]> {
    return this.attempt(() => this.#options.database.run((sql) => listKeys(sql, owner)))
  }

  async hasRoom(draft: KeyDraft, bounds: KeyBounds): Promise<boolean> {
    const { database, clock } = this.#options
    return this.attempt(() => database.run((sql) => hasRoom(sql, draft, clock.now(), bounds)))
  }

  async add(record: KeyRecord, bounds: KeyBounds): Promise<boolean> {
    const { database, clock } = this.#options
    return this.attempt(() => database.change((tx) => addKey(tx, record, clock.now(), bounds)))
  }

  async revoke(id: string, atMs: number): Promise<void> {
    if (isId(id)) await this.#change([id], (tx) => revokeKey(tx, id, atMs))
  }

  readonly all: AllKeys = {
    page: (owners, limit, before) =>
      this.attempt(() => this.#options.database.run((sql) => pageOfKeys(sql, owners, limit, before))),
    tenantsOf: (user) => this.attempt(() => this.#options.database.run((sql) => tenantsWithKeys(sql, user))),
    endBy: async (id, atMs) => {
      if (!isId(id)) return
      await this.#change([], (tx) => endKeyBy(tx, id, atMs))
      // The same object, because the streams that were opened with the key end with it.
      const record = this.#records.get(id)
      if (record !== undefined) record.expiresAtMs = Math.min(record.expiresAtMs, atMs)
    },
    erase: async (owner, nowMs) => {
      const ids = await this.#change([], (tx) => eraseKeys(tx, owner, nowMs))
      for (const id of ids) this.#records.delete(id)
      return ids
    },
  }

  touch(id: string, atMs: number): void {
    const record = this.#records.get(id)
    if (record !== undefined) record.lastUsedAtMs = atMs
    if (this.#touched.size < MAX_TOUCHED) this.#touched.set(id, atMs)
  }

  /** No promise of an answer: while PostgreSQL is away the list is empty. */
  async ending(nowMs: number, untilMs: number): Promise<readonly KeyEnding[]> {
    if (this.#away) return []
    return this.attempt(() => this.#options.database.run((sql) => endingKeys(sql, nowMs, untilMs)))
  }

  onRevoked(listener: (id: string) => void): void {
    this.#listeners.add(listener)
  }

  /** Reads and applies all changes. Rejects if PostgreSQL does not answer. */
  async follow(): Promise<void> {
    const { database, clock } = this.#options
    const askedAt = clock.monotonic()
    const last = await database.run(lastChange)
    // Dead keys may have been removed meanwhile, or the database was restored from a backup: all cached records are
    // dropped.
    if (this.#seq === null || last < this.#seq || askedAt - this.#answeredAt >= DEAD_MS / 2) {
      this.#records.clear()
      this.#generation++
      this.#seq = Math.min(this.#seq ?? last, last)
    }
    while (this.#seq < last) {
      const after = this.#seq
      const changes = await database.run((sql) => changesAfter(sql, after))
      this.#apply(changes)
      // The key of the last change may have been deleted since.
      if (changes.length === 0) this.#seq = last
    }
    await this.#options.alsoRead()
    this.#answeredAt = askedAt
    this.#away = false
  }

  /** To be called when PostgreSQL does not answer. It counts as away until `follow` resolves. */
  lose(): void {
    this.#away = true
    this.#options.database.reset()
  }

  /**
   * Writes the uses of keys. Those that could not be written are written the next time. Rejects only if PostgreSQL is
   * away: keys work without their last use.
   */
  async flush(): Promise<void> {
    if (this.#touched.size === 0) return
    const uses = this.#touched
    this.#touched = new Map()
    try {
      await this.#options.database.change((tx) => touchKeys(tx, uses))
      this.#reportUses(undefined)
    } catch (error) {
      for (const [id, at] of uses) this.#touched.set(id, Math.max(at, this.#touched.get(id) ?? 0))
      if (kindOf(error) === 'away') throw error
      this.#reportUses(error)
    }
  }

  /** Reports the first refusal of several in a row. */
  #reportUses(error: unknown): void {
    if (error !== undefined && !this.#areUsesRefused) this.#options.onUsesRefused(error)
    this.#areUsesRefused = error !== undefined
  }

  /**
   * Changes keys. They may be changed even if no answer comes, so what was read meanwhile is not cached, and `ids` are
   * read again.
   */
  async #change<T>(ids: readonly string[], work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      return await this.attempt(() => this.#options.database.change(work))
    } finally {
      this.#generation++
      for (const id of ids) this.#records.delete(id)
    }
  }

  #apply(changes: Awaited<ReturnType<typeof changesAfter>>): void {
    this.#generation++
    for (const { id, seq, erased, expires_at_ms, revoked_at_ms } of changes) {
      this.#seq = seq
      const record = this.#records.get(id)
      if (record !== undefined) Object.assign(record, { expiresAtMs: expires_at_ms, revokedAtMs: revoked_at_ms })
      if (erased) this.#records.delete(id)
      if (revoked_at_ms !== null) for (const listener of this.#listeners) listener(id)
    }
  }

  #read(id: string): Promise<KeyRecord | undefined> {
    let reading = this.#reading.get(id)
    if (reading === undefined) {
      if (this.#reading.size >= this.#options.maxReads) throw unavailable()
      reading = this.#readNow(id).finally(() => this.#reading.delete(id))
      this.#reading.set(id, reading)
    }
    return reading
  }

  async #readNow(id: string): Promise<KeyRecord | undefined> {
    const generation = this.#generation
    const record = await this.attempt(() => this.#options.database.run((sql) => readKey(sql, id)))
    // If a change came meanwhile, it may be of this key, so the record is used for this request and not cached.
    if (record === undefined || generation !== this.#generation) return record
    const cachedRecord = this.#records.get(id)
    // The same object as before, because other parts cache results by the identity of the record.
    const used = cachedRecord === undefined ? record : Object.assign(cachedRecord, record)
    this.#records.set(id, used)
    return used
  }

  /** Does work on the database. @throws SvcError `overloaded` if PostgreSQL is away or refuses it */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    if (this.#away) throw unavailable()
    try {
      return await work()
    } catch (cause) {
      const kind = kindOf(cause)
      if (kind === 'fault') throw cause
      // Of several reads that fail together, the first one asks anew, and the others must not drop its connection.
      if (kind === 'away' && !this.#away) {
        this.lose()
        this.#options.onLost()
      }
      throw unavailable(cause)
    }
  }
}

/** Whether a node can have made an id. Others are not looked up, because PostgreSQL refuses some texts (NUL). */
function isId(id: string): boolean {
  return /^[0-9A-Za-z]{16}$/.test(id)
}

function unavailable(cause?: unknown): Error {
  return httpFail('overloaded', {
    message: 'API keys and revocations cannot be read or changed at the moment.',
    headers: { 'retry-after': '1' },
    ...(cause !== undefined && { cause }),
  })
}
