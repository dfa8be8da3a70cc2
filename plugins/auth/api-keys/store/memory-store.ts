import {
  isLive,
  type KeyBounds,
  type KeyDraft,
  type KeyOwner,
  type KeyRecord,
  type KeyStore,
  ownerKey,
} from './key-store.ts'

/** The clocks of the store, and who is called. */
export interface MemoryStoreOptions {
  /** Unix milliseconds. */
  readonly now: () => number
  readonly monotonic: () => number
  /** Called with the id of each key that the store removes to make room. */
  readonly onRemoved?: (id: string) => void
}

/** A store whose methods return no promises. */
export interface MemoryKeyStore extends KeyStore {
  get(id: string): KeyRecord | undefined
  list(owner: KeyOwner): readonly KeyRecord[]
  add(record: KeyRecord, bounds: KeyBounds): boolean
  /** Removes a key. */
  drop(id: string): void
}

type Mutable = { -readonly [Name in keyof KeyRecord]: KeyRecord[Name] }

/** The keys of one owner. */
interface Owned {
  readonly ids: Set<string>
  bytes: number
}

/** Size of a listed key without its texts, in bytes. */
const FRAME_BYTES = 300

/** A full store is searched for unusable keys at most once in this time: the search reads all keys, and any caller can cause it. */
const SEARCH_INTERVAL_MS = 1_000

/**
 * Creates a store in memory, which ends with the process. A full store removes expired and revoked keys, the oldest first.
 */
export function createMemoryKeyStore(options: MemoryStoreOptions): MemoryKeyStore {
  const records = new Map<string, Mutable>()
  const byOwner = new Map<string, Owned>()
  let searchedAtMs = -Infinity

  const ownedBy = (record: KeyDraft): Owned => byOwner.get(ownerKey(record.owner)) ?? { ids: new Set(), bytes: 0 }
  const remove = (record: Mutable): void => {
    const owned = ownedBy(record)
    records.delete(record.id)
    owned.ids.delete(record.id)
    owned.bytes -= sizeOf(record)
    if (owned.ids.size === 0) byOwner.delete(ownerKey(record.owner))
  }
  const removeUnusable = (ids: Iterable<string>): boolean => {
    for (const id of ids) {
      const record = records.get(id)
      if (record === undefined || isLive(record, options.now())) continue
      remove(record)
      options.onRemoved?.(id)
      return true
    }
    return false
  }
  const hasRoom = (draft: KeyDraft, bounds: KeyBounds): boolean => {
    const owned = ownedBy(draft)
    const bytes = sizeOf(draft)
    while (owned.ids.size >= bounds.maxKeysPerOwner || owned.bytes + bytes > bounds.maxBytesPerOwner) {
      if (!removeUnusable(owned.ids)) return false
    }
    if (records.size < bounds.maxKeys) return true
    if (options.monotonic() < searchedAtMs + SEARCH_INTERVAL_MS) return false
    if (removeUnusable(records.keys())) return true
    searchedAtMs = options.monotonic()
    return false
  }
  return {
    durable: false,
    get: (id) => records.get(id),
    list: (owner) =>
      [...(byOwner.get(ownerKey(owner))?.ids ?? [])].flatMap((id) => {
        const record = records.get(id)
        return record === undefined ? [] : [{ ...record }]
      }),
    hasRoom,
    add: (record, bounds) => {
      if (!hasRoom(record, bounds)) return false
      const owned = ownedBy(record)
      records.set(record.id, { ...record })
      owned.ids.add(record.id)
      owned.bytes += sizeOf(record)
      byOwner.set(ownerKey(record.owner), owned)
      return true
    },
    revoke: (id, atMs) => {
      const record = records.get(id)
      if (record === undefined || record.revokedAtMs !== null) return
      record.revokedAtMs = atMs
      searchedAtMs = -Infinity
    },
    touch: (id, atMs) => {
      const record = records.get(id)
      if (record !== undefined) record.lastUsedAtMs = atMs
    },
    drop: (id) => {
      const record = records.get(id)
      if (record !== undefined) remove(record)
    },
  }
}

function sizeOf({ name, owner, scopes }: KeyDraft): number {
  return FRAME_BYTES + new TextEncoder().encode(JSON.stringify([name, owner, scopes])).length
}
