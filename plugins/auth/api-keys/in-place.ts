import type { KeysPlatform } from './create-parts.ts'
import { createInPlaceHasher, IN_PLACE_PARALLEL } from './hashing/hasher-in-place.ts'

/** API keys on platforms without threads. */
export const variant: KeysPlatform = { createHasher: createInPlaceHasher, maxParallel: IN_PLACE_PARALLEL }
