import { availableParallelism } from 'node:os'
import type { KeysPlatform } from './create-parts.ts'
import { createThreadedHasher } from './hashing/hasher-threads.ts'

/** API keys on Node, hashed in worker threads. */
export const variant: KeysPlatform = {
  createHasher: createThreadedHasher,
  // One core stays free for the event loop; otherwise guessed keys would slow down all other requests.
  get maxParallel() {
    return Math.max(1, availableParallelism() - 1)
  },
}
