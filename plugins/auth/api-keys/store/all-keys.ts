/** The keys of all tenants in memory, for the owner of the machine. */

import type { Clock } from '../../../../core/kernel/environment.ts'
import { type AllKeys, comparePlaces, type KeyOwner, type KeyRecord, type KeyStore } from './key-store.ts'
import { createMemoryKeyStore, type MemoryKeyStore } from './memory-store.ts'

/** The keys of all tenants, without promises. */
export interface MemoryAllKeys extends AllKeys {
  page(...parameters: Parameters<AllKeys['page']>): readonly KeyRecord[]
  tenantsOf(user: string): readonly string[]
  erase(owner: KeyOwner): readonly string[]
}

/** The keys of all tenants of a store in memory. */
export function allKeysOf({ records, list, drop }: Pick<MemoryKeyStore, 'records' | 'list' | 'drop'>): MemoryAllKeys {
  return {
    page: ({ tenant, user }, limit, before) =>
      [...records()]
        .filter(
          (record) =>
            (tenant === undefined || record.owner.tenant === tenant) &&
            (user === undefined || record.owner.user === user) &&
            (before === undefined || comparePlaces(record, before) > 0),
        )
        .sort(comparePlaces)
        .slice(0, limit)
        .map((record) => ({ ...record })),
    tenantsOf: (user) => [...new Set([...records()].flatMap(({ owner }) => (owner.user === user ? owner.tenant : [])))],
    endBy: (id, atMs) => {
      for (const record of records()) if (record.id === id) record.expiresAtMs = Math.min(record.expiresAtMs, atMs)
    },
    erase: (owner) => {
      const ids = list(owner).map(({ id }) => id)
      for (const id of ids) drop(id)
      return ids
    },
  }
}

/** Keys in memory, of a process to which nobody gives another store. */
export function createOwnKeyStore(clock: Pick<Clock, 'now' | 'monotonic'>): KeyStore {
  const memory = createMemoryKeyStore(clock)
  return { ...memory, all: allKeysOf(memory) }
}
