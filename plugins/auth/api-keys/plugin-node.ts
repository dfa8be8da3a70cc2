import { availableParallelism } from 'node:os'
import type { Plugin } from '../../../core/plugin.ts'
import { createThreadedHasher } from './hasher-threads.ts'
import { createKeysPlugin } from './plugin.ts'

/** A core stays for the event loop, or guessed keys would slow down everybody else on a machine with two. */
const maxParallel = Math.max(1, availableParallelism() - 1)

/** API keys on Node, hashed in worker threads. */
export const plugin: Plugin = createKeysPlugin(createThreadedHasher, maxParallel)
