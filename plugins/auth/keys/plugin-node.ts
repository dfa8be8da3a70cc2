import type { Plugin } from '../../../core/plugin.ts'
import { createThreadedHasher } from './hasher-threads.ts'
import { createKeysPlugin } from './plugin.ts'

/** API keys on Node, hashed in worker threads. */
export const plugin: Plugin = createKeysPlugin(createThreadedHasher, Number.POSITIVE_INFINITY)
