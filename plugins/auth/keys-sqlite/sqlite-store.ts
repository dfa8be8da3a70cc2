/**
 * API keys in the SQLite store of the node. All keys are in memory too, so that a use of a key costs no read; the memory store
 * decides what there is room for, so that the limits are the same. What is answered is on disk.
 */
import { httpFail } from '../../../core/catalogue.ts'
import type { Clock } from '../../../core/environment.ts'
import type { Ledger, ReceiptStore } from '../../sync/capabilities.ts'
import type { KeyRecord, KeyStore } from '../api-keys/store/key-store.ts'
import { createMemoryKeyStore } from '../api-keys/store/memory-store.ts'
import { deleteKey, insertKey, readDataVersion, readKeyMark, readKeys, updateKey } from './statements.ts'

/** Last uses are written at most once in this time. */
const USES_INTERVAL_MS = 60_000
/** Last uses in one transaction: a few milliseconds of the event loop. */
const USES_AT_ONCE = 256

/** What the store is made of. */
export interface SqliteKeyStoreOptions {
  readonly store: Pick<ReceiptStore, 'read' | 'write'>
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'setTimeout' | 'clearTimeout'>
  /** Called if last uses could not be written; they are written with the next ones. */
  readonly onUsesFailed: (error: unknown) => void
}

/** Keys that outlive the process. */
export interface SqliteKeyStore extends KeyStore {
  /** Reads the keys of the store, before anything else is asked. Returns the ids of damaged rows, whose keys are not valid. */
  load(): Promise<readonly string[]>
  /**
   * Takes over the keys that another process on the same store has created or revoked. Costs one small read if no other process has
   * written.
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
  /** Keys on their way to the disk. They count for the limits, and are not shown before they are there. */
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

  const write = async (work: (ledger: Ledger) => void): Promise<void> => {
    try {
      await store.write(work)
    } catch (cause) {
      throw httpFail('overloaded', {
        message: 'API keys cannot be written at the moment.',
        headers: { 'retry-after': '1' },
        cause,
      })
    }
  }

  /** A key that was removed twice, or comes back because this write fails, does no harm: it is expired or revoked. */
  const forget = (ledger: Ledger): void => {
    for (const id of removed) deleteKey(ledger, id)
    removed.clear()
  }

  const listeners = new Set<(id: string) => void>()
  const seen = { version: 0, mark: '' }
  const take = (record: KeyRecord): void => {
    if (removed.has(record.id)) return
    const known = memory.get(record.id)
    if (known === undefined) memory.add(record, NO_BOUNDS)
    else if (known.revokedAtMs === null && record.revokedAtMs !== null) {
      memory.revoke(record.id, record.revokedAtMs)
      for (const listener of listeners) listener(record.id)
    }
  }
  const load = async (): Promise<readonly string[]> => {
    const { records, damaged } = await store.read((ledger) => {
      seen.version = readDataVersion(ledger)
      seen.mark = readKeyMark(ledger)
      return readKeys(ledger)
    })
    records.forEach(take)
    return damaged
  }

  return {
    durable: true,
    get: (id) => (unwritten.has(id) ? undefined : memory.get(id)),
    list: (owner) => memory.list(owner).filter(({ id }) => !unwritten.has(id)),
    hasRoom: memory.hasRoom,
    async add(record, bounds) {
      if (!memory.add(record, bounds)) return false
      unwritten.add(record.id)
      try {
        await write((ledger) => {
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
      // Refused from now on, whatever becomes of the write. An earlier revocation may have failed there, so it is written again.
      memory.revoke(id, atMs)
      const record = memory.get(id)
      if (record !== undefined) await write((ledger) => updateKey(ledger, record))
    },
    touch(id, atMs) {
      memory.touch(id, atMs)
      uses.add(id)
    },
    onRevoked: (listener) => void listeners.add(listener),
    load,
    async refresh() {
      const now = await store.read((ledger) => ({ version: readDataVersion(ledger), mark: readKeyMark(ledger) }))
      if (now.version === seen.version) return
      seen.version = now.version
      if (now.mark !== seen.mark) await load()
    },
    async close() {
      await uses.close()
      if (removed.size > 0) await store.write(forget)
    },
  }
}

/** What is stored had room when it was created, even if the limits are lower now. */
const NO_BOUNDS = { maxKeys: Infinity, maxKeysPerOwner: Infinity, maxBytesPerOwner: Infinity }

/** Uses of keys that wait to be written. */
interface Uses {
  add(id: string): void
  close(): Promise<void>
}

function createUses(
  { setTimeout, clearTimeout }: Pick<Clock, 'setTimeout' | 'clearTimeout'>,
  write: (ids: readonly string[]) => Promise<void>,
  onFailed: (error: unknown) => void,
): Uses {
  let waiting = new Set<string>()
  let timer: unknown
  let writing: Promise<void> = Promise.resolve()
  let closed = false

  const writeAll = async (): Promise<void> => {
    const ids = [...waiting]
    waiting = new Set()
    for (let from = 0; from < ids.length; from += USES_AT_ONCE) {
      try {
        await write(ids.slice(from, from + USES_AT_ONCE))
      } catch (error) {
        for (const id of ids.slice(from)) waiting.add(id)
        return onFailed(error)
      }
    }
  }
  const schedule = (): void => {
    timer = setTimeout(() => {
      timer = undefined
      writing = writeAll().then(() => {
        if (waiting.size > 0 && timer === undefined && !closed) schedule()
      })
    }, USES_INTERVAL_MS)
  }
  return {
    add(id) {
      waiting.add(id)
      if (timer === undefined && !closed) schedule()
    },
    async close() {
      closed = true
      if (timer !== undefined) clearTimeout(timer)
      await writing
      await writeAll()
    },
  }
}
