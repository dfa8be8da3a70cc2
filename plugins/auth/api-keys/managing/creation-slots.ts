import { type KeyOwner, ownerKey } from '../store/key-store.ts'

/** Limits how many keys each owner creates at a time. */
export interface CreationSlots {
  /** Runs `job` in a slot of the owner; calls `refuse`, which throws, if all slots of the owner are taken. */
  run<T>(owner: KeyOwner, job: () => Promise<T>, refuse: () => never): Promise<T>
}

/** Creates slots, `max` for each owner. */
export function createCreationSlots(max: number): CreationSlots {
  const taken = new Map<string, number>()
  return {
    run: async (owner, job, refuse) => {
      const key = ownerKey(owner)
      const count = taken.get(key) ?? 0
      if (count >= max) refuse()
      taken.set(key, count + 1)
      try {
        return await job()
      } finally {
        const left = (taken.get(key) ?? 1) - 1
        if (left === 0) taken.delete(key)
        else taken.set(key, left)
      }
    },
  }
}
