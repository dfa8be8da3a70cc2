import type { Plugin } from '../../../core/plugin.ts'
import { createInPlaceHasher, IN_PLACE_PARALLEL } from './hashing/hasher-in-place.ts'
import { createKeysPlugin } from './plugin.ts'

/** API keys on platforms without threads. */
export const plugin: Plugin = createKeysPlugin({
  createHasher: createInPlaceHasher,
  maxParallel: IN_PLACE_PARALLEL,
})
