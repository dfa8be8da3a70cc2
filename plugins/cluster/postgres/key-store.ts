import postgres from 'postgres'
import type { Awaitable } from '../../../core/awaitable.ts'
import { httpFail } from '../../../core/catalogue.ts'
import type { Clock } from '../../../core/environment.ts'
import type { KeyBounds, KeyDraft, KeyOwner, KeyRecord, KeyStore } from '../../auth/api.ts'
import type { Database, Sql } from './database.ts'
import { Recent } from './recent.ts'
import type { KeptRecord } from './rows.ts'
import {
  addKey,
  changesAfter,
  DEAD_MS,
  hasRoom,
  lastChange,
  listKeys,
  readKey,
  revokeKey,
  touchKeys,
} from './statements.ts'

/** What the store works with. */
export interface SharedStoreOptions {
  readonly database: Database
  readonly clock: Clock
  /** Records kept in memory, and read at a time. */
  readonly maxRecords: number
  readonly maxReads: number
  /** How long a record still counts while PostgreSQL is away. */
  readonly offlineMs: number
  /** Told that a request got no answer. */
  readonly onLost: () => void
}

/** How long after an answer of PostgreSQL a kept record counts without another look. */
const FRESH_MS = 1_000

/** Uses of keys that wait to be noted. */
const MAX_TOUCHED = 10_000

/**
 * The keys of a cluster. Records that were read are kept; every change in the database has a number, and each node
 * follows the numbers. A record is used without a look only while the last answer is younger than a second, so that no
 * node takes a key for longer than that after it was revoked anywhere.
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
  /** Moves with every change: what was read before it moved may be out of date. */
  #generation = 0
  /** When the last answer was asked for, on the monotonic clock. */
  #answeredAt = -Infinity
  #away = true

  constructor(options: SharedStoreOptions) {
    this.#options = options
    this.#records = new Recent(options.maxRecords)
  }

  /** Whether PostgreSQL did not answer when it was asked last. */
  get away(): boolean {
    return this.#away
  }

  get(id: string): Awaitable<KeyRecord | undefined> {
    const kept = this.#records.get(id)
    if (kept === undefined && !isId(id)) return undefined
    const age = this.#options.clock.monotonic() - this.#answeredAt
    if (kept !== undefined && (age < FRESH_MS || (this.#away && age < this.#options.offlineMs))) return kept
    if (this.#away) throw unavailable()
    return this.#read(id)
  }

  async list(owner: KeyOwner): Promise<readonly KeyRecord[]> {
    return this.#run((sql) => listKeys(sql, owner))
  }

  async hasRoom(draft: KeyDraft, bounds: KeyBounds): Promise<boolean> {
    return this.#run((sql) => hasRoom(sql, draft, this.#options.clock.now(), bounds))
  }

  async add(record: KeyRecord, bounds: KeyBounds): Promise<boolean> {
    return this.#run((sql) => addKey(sql, record, this.#options.clock.now(), bounds))
  }

  async revoke(id: string, atMs: number): Promise<void> {
    if (!isId(id)) return
    try {
      await this.#run((sql) => revokeKey(sql, id, atMs))
    } finally {
      // It may have been done although nobody said so: what is kept here is looked at again.
      this.#generation++
      this.#records.delete(id)
    }
  }

  touch(id: string, atMs: number): void {
    const kept = this.#records.get(id)
    if (kept !== undefined) kept.lastUsedAtMs = atMs
    if (this.#touched.size < MAX_TOUCHED) this.#touched.set(id, atMs)
  }

  onRevoked(listener: (id: string) => void): void {
    this.#listeners.add(listener)
  }

  /** Asks what has changed, and catches up with it. Rejects where PostgreSQL does not answer. */
  async follow(): Promise<void> {
    const { database, clock } = this.#options
    const askedAt = clock.monotonic()
    const last = await database.run(lastChange)
    // A time in which dead keys may have been removed, or a database that was put back: nothing kept is worth anything.
    if (this.#seq === null || last < this.#seq || askedAt - this.#answeredAt >= DEAD_MS / 2) {
      this.#records.clear()
      this.#generation++
      this.#seq = Math.min(this.#seq ?? last, last)
    }
    while (this.#seq < last) {
      const changes = await database.run((sql) => changesAfter(sql, this.#seq!))
      this.#apply(changes)
      // The last of them may have been of a key that is gone since.
      if (changes.length === 0) this.#seq = last
    }
    this.#answeredAt = askedAt
    this.#away = false
  }

  /** PostgreSQL does not answer: it counts as away until `follow` has caught up, and what hangs is dropped. */
  lose(): void {
    this.#away = true
    this.#options.database.reset()
  }

  /** Writes down the uses of keys. */
  async flush(): Promise<void> {
    if (this.#touched.size === 0) return
    const uses = this.#touched
    this.#touched = new Map()
    await this.#options.database.run((sql) => touchKeys(sql, uses))
  }

  #apply(changes: Awaited<ReturnType<typeof changesAfter>>): void {
    this.#generation++
    for (const { id, seq, revoked_at_ms } of changes) {
      this.#seq = seq
      const kept = this.#records.get(id)
      if (kept !== undefined) kept.revokedAtMs = revoked_at_ms
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
    const record = await this.#run((sql) => readKey(sql, id))
    // Where something changed meanwhile it is good for this once: the change may have been of this key.
    if (record === undefined || generation !== this.#generation) return record
    const kept = this.#records.get(id)
    // The same object as before, since others keep what they made of it by the record.
    const used = kept === undefined ? record : Object.assign(kept, record)
    this.#records.set(id, used)
    return used
  }

  async #run<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    if (this.#away) throw unavailable()
    try {
      return await this.#options.database.run(work)
    } catch (cause) {
      // What the server refuses is a fault of ours; only what says that there is no server makes it away.
      if (cause instanceof postgres.PostgresError && !/^(?:08|53|57)/.test(cause.code)) throw cause
      this.lose()
      this.#options.onLost()
      throw unavailable(cause)
    }
  }
}

/** Only what was made by a node can be there; the rest may hold what PostgreSQL takes for no text. */
function isId(id: string): boolean {
  return /^[0-9A-Za-z]{16}$/.test(id)
}

function unavailable(cause?: unknown): Error {
  return httpFail('overloaded', {
    message: 'API keys cannot be looked up at the moment.',
    headers: { 'retry-after': '1' },
    ...(cause !== undefined && { cause }),
  })
}
