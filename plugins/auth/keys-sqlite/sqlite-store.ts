/**
 * API keys in the SQLite store of the node. All keys are in memory too, so that a use of a key costs no read. The
 * limits are those of the memory store. A change is on disk before it is answered.
 */

import { httpFail } from '../../../core/kernel/catalogue.ts'
import type { Clock } from '../../../core/kernel/environment.ts'
import { storageFull } from '../../../core/kernel/storage-full.ts'
import type { NodeStore, Tables } from '../../store/api.ts'
import { allKeysOf, type MemoryAllKeys } from '../api-keys/store/all-keys.ts'
import type { AllKeys, KeyRecord, KeyStore } from '../api-keys/store/key-store.ts'
import { createMemoryKeyStore, type MemoryKeyStore } from '../api-keys/store/memory-store.ts'
import { deleteKey, insertKey, readDataVersion, readKeyMark, readKeys, updateKey } from './statements.ts'
import { createUses } from './uses.ts'

/** What the key store needs. */
export interface SqliteKeyStoreOptions {
  readonly store: Pick<NodeStore, 'read' | 'write'>
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'setTimeout' | 'clearTimeout'>
  /** Called if last uses could not be written; they are written with the next ones. */
  readonly onUsesFailed: (error: unknown) => void
}

/** Keys that outlive the process. */
export interface SqliteKeyStore extends KeyStore {
  /**
   * Reads the keys of the store, before anything else is asked. Returns the ids of damaged rows, whose keys are not
   * valid.
   */
  load(): Promise<readonly string[]>
  /**
   * Takes over the keys that another process on the same store has created or revoked. Costs one small read if no other
   * process has written.
   */
  refresh(): Promise<void>
  /** Writes what is not written yet: last uses, and the removal of keys that made room. */
  close(): Promise<void>
}

/** Creates the store. */
export function createSqliteKeyStore({ store, clock, onUsesFailed }: SqliteKeyStoreOptions): SqliteKeyStore {
  /** Keys that the memory store has removed to make room, and that the next write removes from the disk. */
  const removed = new Set<string>()
  const memory = createMemoryKeyStore({
    now: clock.now,
    monotonic: clock.monotonic,
    onRemoved: (id) => removed.add(id),
  })
  const all = allKeysOf(memory)
  /** Keys that are being written. They count for the limits, and are not visible before they are on disk. */
  const unwritten = new Set<string>()
  const uses = createUses(
    clock,
    async (ids) => {
      const records = ids.flatMap((id) => memory.get(id) ?? [])
      await store.write((ledger) => {
        for (const record of records) updateKey(ledger, record)
      })
    },
    onUsesFailed,
  )

  /** Such a key is expired or revoked, so it does no harm if this write fails and the key is loaded again. */
  const forget = (ledger: Tables): void => {
    for (const id of removed) deleteKey(ledger, id)
    removed.clear()
  }

  const { load, refresh, onRevoked } = createLoading(store, memory, all, { removed, unwritten })

  return {
    durable: true,
    get: (id) => (unwritten.has(id) ? undefined : memory.get(id)),
    list: (owner) => memory.list(owner).filter(({ id }) => !unwritten.has(id)),
    hasRoom: memory.hasRoom,
    async add(record, bounds) {
      if (!memory.add(record, bounds)) return false
      unwritten.add(record.id)
      try {
        await write(store, (ledger) => {
          forget(ledger)
          insertKey(ledger, record)
        })
      } catch (error) {
        memory.drop(record.id)
        throw error
      } finally {
        unwritten.delete(record.id)
      }
      return true
    },
    async revoke(id, atMs) {
      // The key is refused from now on, even if the write fails. A revocation that could not be written earlier is
      // written again.
      memory.revoke(id, atMs)
      const record = memory.get(id)
      if (record !== undefined) await write(store, (ledger) => updateKey(ledger, record))
    },
    touch(id, atMs) {
      memory.touch(id, atMs)
      uses.add(id)
    },
    ending: memory.ending,
    all: createAllKeys(store, memory, all, unwritten),
    onRevoked,
    load,
    refresh,
    async close() {
      await uses.close()
      if (removed.size > 0) await store.write(forget)
    },
  }
}

/** The keys of all tenants. */
function createAllKeys(
  store: Pick<NodeStore, 'write'>,
  memory: MemoryKeyStore,
  all: MemoryAllKeys,
  unwritten: ReadonlySet<string>,
): AllKeys {
  return {
    page: (owners, limit, before) =>
      all
        .page(owners, limit + unwritten.size, before)
        .filter(({ id }) => !unwritten.has(id))
        .slice(0, limit),
    tenantsOf: all.tenantsOf,
    async endBy(id, atMs) {
      const record = memory.get(id)
      if (record === undefined) return
      await write(store, (ledger) => updateKey(ledger, { ...record, expiresAtMs: Math.min(record.expiresAtMs, atMs) }))
      all.endBy(id, atMs)
    },
    async erase(owner) {
      const ids = memory.list(owner).map(({ id }) => id)
      await write(store, (ledger) => {
        for (const id of ids) deleteKey(ledger, id)
      })
      for (const id of ids) memory.drop(id)
      return ids
    },
  }
}

/** A stored key is taken even if the limits have become lower since it was created. */
const NO_BOUNDS = {
  maxKeys: Infinity,
  maxKeysPerTenant: Infinity,
  maxKeysPerOwner: Infinity,
  maxBytesPerOwner: Infinity,
}

/** @throws SvcError `overloaded` if the store cannot be written */
async function write(store: Pick<NodeStore, 'write'>, work: (ledger: Tables) => void): Promise<void> {
  try {
    await store.write(work)
  } catch (cause) {
    throw httpFail('overloaded', {
      message: 'API keys cannot be written at the moment.',
      headers: { 'retry-after': '1' },
      ...storageFull(cause),
      cause,
    })
  }
}

/** How the keys of the store get into memory. */
type Loading = Required<Pick<SqliteKeyStore, 'load' | 'refresh' | 'onRevoked'>>

/**
 * Loads all keys, and what other processes on the store have changed. Keys in `removed` are no longer taken; those in
 * `unwritten` are not in the store yet.
 */
function createLoading(
  store: Pick<NodeStore, 'read'>,
  memory: MemoryKeyStore,
  all: MemoryAllKeys,
  { removed, unwritten }: Readonly<Record<'removed' | 'unwritten', ReadonlySet<string>>>,
): Loading {
  const listeners = new Set<(id: string) => void>()
  const seen = { version: 0, mark: '' }
  const announce = (id: string): void => {
    for (const listener of listeners) listener(id)
  }
  const take = (record: KeyRecord): void => {
    if (removed.has(record.id)) return
    const oldRecord = memory.get(record.id)
    if (oldRecord === undefined) memory.add(record, NO_BOUNDS)
    else if (record.expiresAtMs < oldRecord.expiresAtMs) all.endBy(record.id, record.expiresAtMs)
    if (oldRecord?.revokedAtMs !== null || record.revokedAtMs === null) return
    memory.revoke(record.id, record.revokedAtMs)
    announce(record.id)
  }
  const load = async (): Promise<readonly string[]> => {
    // Those of them that the store does not have any more were removed by another process.
    const written = [...memory.records()].flatMap(({ id }) => (unwritten.has(id) ? [] : id))
    const { records, damaged } = await store.read((ledger) => {
      seen.version = readDataVersion(ledger)
      seen.mark = readKeyMark(ledger)
      return readKeys(ledger)
    })
    records.forEach(take)
    const stored = new Set([...records.map(({ id }) => id), ...damaged])
    for (const id of written) {
      if (stored.has(id)) continue
      memory.drop(id)
      announce(id)
    }
    return damaged
  }
  return {
    load,
    onRevoked: (listener) => void listeners.add(listener),
    async refresh() {
      const now = await store.read((ledger) => ({ version: readDataVersion(ledger), mark: readKeyMark(ledger) }))
      if (now.version === seen.version) return
      seen.version = now.version
      if (now.mark !== seen.mark) await load()
    },
  }
}
