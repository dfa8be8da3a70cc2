import { isLive, type KeyBounds, type KeyDraft, type KeyRecord, type KeyStore, ownerKey } from './key-store.ts'

/** The clocks of an in-memory store. */
export interface MemoryStoreOptions {
  /** Unix milliseconds. */
  readonly now: () => number
  readonly monotonic: () => number
}

type Mutable = { -readonly [Name in keyof KeyRecord]: KeyRecord[Name] }

/** The keys of one owner. */
interface Owned {
  readonly ids: Set<string>
  bytes: number
}

/** What a list shows of a key beside its texts. */
const FRAME_BYTES = 300

/** A full store is searched for dead keys once in so long: all keys are looked at, and anybody can make us look. */
const SEARCH_INTERVAL_MS = 1_000

/**
 * A store that lives as long as the process. Where it is full, expired and revoked keys make room, the oldest first.
 */
export function createMemoryKeyStore(options: MemoryStoreOptions): KeyStore {
  const records = new Map<string, Mutable>()
  const byOwner = new Map<string, Owned>()
  let searchedAtMs = -Infinity

  const ownedBy = (record: KeyDraft): Owned => byOwner.get(ownerKey(record.owner)) ?? { ids: new Set(), bytes: 0 }
  const remove = (record: Mutable): void => {
    const mine = ownedBy(record)
    records.delete(record.id)
    mine.ids.delete(record.id)
    mine.bytes -= sizeOf(record)
    if (mine.ids.size === 0) byOwner.delete(ownerKey(record.owner))
  }
  const removeDead = (ids: Iterable<string>): boolean => {
    for (const id of ids) {
      const record = records.get(id)!
      if (isLive(record, options.now())) continue
      remove(record)
      return true
    }
    return false
  }
  const hasRoom = (draft: KeyDraft, bounds: KeyBounds): boolean => {
    const mine = ownedBy(draft)
    const bytes = sizeOf(draft)
    while (mine.ids.size >= bounds.maxKeysPerOwner || mine.bytes + bytes > bounds.maxBytesPerOwner) {
      if (!removeDead(mine.ids)) return false
    }
    if (records.size < bounds.maxKeys) return true
    if (options.monotonic() < searchedAtMs + SEARCH_INTERVAL_MS) return false
    if (removeDead(records.keys())) return true
    searchedAtMs = options.monotonic()
    return false
  }
  return {
    durable: false,
    get: (id) => records.get(id),
    list: (owner) => [...(byOwner.get(ownerKey(owner))?.ids ?? [])].map((id) => ({ ...records.get(id)! })),
    hasRoom,
    add: (record, bounds) => {
      if (!hasRoom(record, bounds)) return false
      const mine = ownedBy(record)
      records.set(record.id, { ...record })
      mine.ids.add(record.id)
      mine.bytes += sizeOf(record)
      byOwner.set(ownerKey(record.owner), mine)
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
  }
}

function sizeOf({ name, owner, scopes }: KeyDraft): number {
  return FRAME_BYTES + new TextEncoder().encode(JSON.stringify([name, owner, scopes])).length
}
