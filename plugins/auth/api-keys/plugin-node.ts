import { availableParallelism } from 'node:os'
import type { Plugin } from '../../../core/plugin.ts'
import { createThreadedHasher } from './hashing/hasher-threads.ts'
import { createKeysPlugin } from './plugin.ts'

/** API keys on Node, hashed in worker threads. */
export const plugin: Plugin = createKeysPlugin({
  createHasher: createThreadedHasher,
  // One core stays free for the event loop; otherwise guessed keys would slow down all other requests.
  get maxParallel() {
    return Math.max(1, availableParallelism() - 1)
  },
})
