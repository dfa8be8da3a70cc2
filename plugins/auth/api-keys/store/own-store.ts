/** The store of a process that nobody gives another one. */
import type { Clock } from '../../../../core/environment.ts'
import { allKeysOf } from './all-keys.ts'
import type { KeyStore } from './key-store.ts'
import { createMemoryKeyStore } from './memory-store.ts'

declare const __PROGRAM__: boolean

/** Keys in memory. A library has no owner of the machine, who would read those of all tenants. */
export function createOwnKeyStore(clock: Pick<Clock, 'now' | 'monotonic'>): KeyStore {
  const memory = createMemoryKeyStore(clock)
  if (typeof __PROGRAM__ === 'undefined' || __PROGRAM__) return { ...memory, all: allKeysOf(memory) }
  return memory
}
