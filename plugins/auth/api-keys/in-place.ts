import type { KeysPlatform } from './create-parts.ts'
import { loadArgon2 } from './hashing/argon2.ts'
import { type CreateHasher, SALT_BYTES } from './hashing/hasher.ts'

/** The hasher of platforms without threads: it hashes on the calling thread, one hash at a time. */
export const createInPlaceHasher: CreateHasher = (cost, random) => ({
  hash: async (text) => (await loadArgon2()).hash(text, random(SALT_BYTES), cost),
  verify: async (text, encoded) => (await loadArgon2()).verify(text, encoded),
  close: async () => {},
})

/** How many hashes may run at a time on this platform. */
const IN_PLACE_PARALLEL = 1

/** API keys on platforms without threads. */
export const variant: KeysPlatform = { createHasher: createInPlaceHasher, maxParallel: IN_PLACE_PARALLEL }
