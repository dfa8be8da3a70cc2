import {
  isLive,
  type KeyBounds,
  type KeyDraft,
  type KeyEnding,
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
  ending: NonNullable<KeyStore['ending']>
  /** All keys, oldest first. A change of a record changes the key. */
  records(): Iterable<Mutable>
  /** Removes a key. */
  drop(id: string): void
}

/** A record as the store has it. */
export type Mutable = { -readonly [Name in keyof KeyRecord]: KeyRecord[Name] }

/** The keys of one owner. */
interface Owned {
  readonly ids: Set<string>
  bytes: number
}

/** The keys of one tenant, or all keys. */
interface Group {
  readonly ids: Set<string>
  /** When it was last searched in vain for unusable keys, on the monotonic clock. */
  searchedAtMs: number
}

/** Size of a listed key without its texts, in bytes. */
const FRAME_BYTES = 300

/**
 * A full group is searched for unusable keys at most once in this time: the search reads all its keys, and any caller
 * can cause it.
 */
const SEARCH_INTERVAL_MS = 1_000

/**
 * Creates a store in memory, which ends with the process. Expired and revoked keys make room in a full store and for a
 * tenant that has its share, the oldest first.
 */
export function createMemoryKeyStore(options: MemoryStoreOptions): MemoryKeyStore {
  const records = new Map<string, Mutable>()
  const byOwner = new Map<string, Owned>()
  const byTenant = new Map<string, Group>()
  const all = newGroup()

  const ownedBy = (record: KeyDraft): Owned => byOwner.get(ownerKey(record.owner)) ?? { ids: new Set(), bytes: 0 }
  const remove = (record: Mutable): void => {
    const owned = ownedBy(record)
    records.delete(record.id)
    owned.ids.delete(record.id)
    owned.bytes -= sizeOf(record)
    if (owned.ids.size === 0) byOwner.delete(ownerKey(record.owner))
    all.ids.delete(record.id)
    const tenant = byTenant.get(record.owner.tenant)
    tenant?.ids.delete(record.id)
    if (tenant?.ids.size === 0) byTenant.delete(record.owner.tenant)
  }
  const drop = (id: string): void => {
    const record = records.get(id)
    if (record !== undefined) remove(record)
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
  const isBelow = (group: Group | undefined, maxKeys: number): boolean => {
    if (group === undefined || group.ids.size < maxKeys) return true
    if (options.monotonic() < group.searchedAtMs + SEARCH_INTERVAL_MS) return false
    if (removeUnusable(group.ids)) return true
    group.searchedAtMs = options.monotonic()
    return false
  }
  const hasRoom = (draft: KeyDraft, bounds: KeyBounds): boolean => {
    const [owned, bytes] = [ownedBy(draft), sizeOf(draft)]
    while (owned.ids.size >= bounds.maxKeysPerOwner || owned.bytes + bytes > bounds.maxBytesPerOwner) {
      if (!removeUnusable(owned.ids)) return false
    }
    return isBelow(byTenant.get(draft.owner.tenant), bounds.maxKeysPerTenant) && isBelow(all, bounds.maxKeys)
  }
  return {
    durable: false,
    get: (id) => records.get(id),
    list: (owner) => [...(byOwner.get(ownerKey(owner))?.ids ?? [])].flatMap((id) => copyOf(records.get(id))),
    hasRoom,
    add: (record, bounds) => {
      if (!hasRoom(record, bounds)) return false
      const owned = ownedBy(record)
      records.set(record.id, { ...record })
      owned.ids.add(record.id)
      owned.bytes += sizeOf(record)
      byOwner.set(ownerKey(record.owner), owned)
      const tenant = byTenant.get(record.owner.tenant) ?? newGroup()
      byTenant.set(record.owner.tenant, tenant)
      for (const group of [tenant, all]) group.ids.add(record.id)
      return true
    },
    revoke: (id, atMs) => {
      const record = records.get(id)
      if (record === undefined || record.revokedAtMs !== null) return
      record.revokedAtMs = atMs
      for (const group of [byTenant.get(record.owner.tenant) ?? all, all]) group.searchedAtMs = -Infinity
    },
    touch: (id, atMs) => {
      const record = records.get(id)
      if (record !== undefined) record.lastUsedAtMs = atMs
    },
    ending: (nowMs, untilMs) => endingOf(records.values(), nowMs, untilMs),
    drop,
    records: () => records.values(),
  }
}

function endingOf(records: Iterable<KeyRecord>, nowMs: number, untilMs: number): readonly KeyEnding[] {
  const endings: KeyEnding[] = []
  for (const record of records) if (isLive(record, nowMs) && record.expiresAtMs < untilMs) endings.push(record)
  return endings
}

function copyOf(record: KeyRecord | undefined): KeyRecord[] {
  return record === undefined ? [] : [{ ...record }]
}

function newGroup(): Group {
  return { ids: new Set(), searchedAtMs: -Infinity }
}

function sizeOf({ name, owner, scopes }: KeyDraft): number {
  return FRAME_BYTES + new TextEncoder().encode(JSON.stringify([name, owner, scopes])).length
}
