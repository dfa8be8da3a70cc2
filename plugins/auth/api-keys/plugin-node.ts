import { availableParallelism } from 'node:os'
import type { Plugin } from '../../../core/plugin.ts'
import { createThreadedHasher } from './hashing/hasher-threads.ts'
import { createKeysPlugin } from './plugin.ts'

/** API keys on Node, hashed in worker threads. */
export const plugin: Plugin = createKeysPlugin({
  createHasher: createThreadedHasher,
  // A core stays for the event loop, or guessed keys would slow down everybody else on a machine with two.
  get maxParallel() {
    return Math.max(1, availableParallelism() - 1)
  },
})
