import { isLive, type KeyOwner, type KeyRecord, type KeyStore } from './key-store.ts'

/** How much an in-memory store holds, and its clock. */
export interface MemoryStoreOptions {
  readonly maxKeys: number
  readonly maxKeysPerOwner: number
  /** Unix milliseconds. */
  readonly now: () => number
}

type Mutable = { -readonly [Name in keyof KeyRecord]: KeyRecord[Name] }

/**
 * A store that lives as long as the process. Where it is full, expired and revoked keys make room, the oldest first.
 */
export function createMemoryKeyStore(options: MemoryStoreOptions): KeyStore {
  const records = new Map<string, Mutable>()
  const byOwner = new Map<string, Set<string>>()

  const remove = (record: KeyRecord): void => {
    const owner = ownerKey(record.owner)
    const ids = byOwner.get(owner)
    records.delete(record.id)
    ids?.delete(record.id)
    if (ids?.size === 0) byOwner.delete(owner)
  }
  const makeRoom = (ids: Iterable<string>): boolean => {
    for (const id of ids) {
      const record = records.get(id)!
      if (isLive(record, options.now())) continue
      remove(record)
      return true
    }
    return false
  }
  return {
    durable: false,
    get: (id) => records.get(id),
    list: (owner) => [...(byOwner.get(ownerKey(owner)) ?? [])].map((id) => ({ ...records.get(id)! })),
    add: (record) => {
      const owner = ownerKey(record.owner)
      const mine = byOwner.get(owner)
      if ((mine?.size ?? 0) >= options.maxKeysPerOwner && !makeRoom(mine!)) return false
      if (records.size >= options.maxKeys && !makeRoom(records.keys())) return false
      records.set(record.id, { ...record })
      const ids = byOwner.get(owner)
      if (ids === undefined) byOwner.set(owner, new Set([record.id]))
      else ids.add(record.id)
      return true
    },
    revoke: (id, atMs) => {
      const record = records.get(id)
      if (record !== undefined) record.revokedAtMs ??= atMs
    },
    touch: (id, atMs) => {
      const record = records.get(id)
      if (record !== undefined) record.lastUsedAtMs = atMs
    },
  }
}

/** Tenant and user as one map key; JSON keeps the pair apart whatever is in the two texts. */
function ownerKey(owner: KeyOwner): string {
  return JSON.stringify([owner.tenant, owner.user])
}
