import { loadArgon2 } from './argon2.ts'
import type { CreateHasher } from './hasher.ts'
import { SALT_BYTES } from './salt.ts'

/** The hasher of platforms without threads: it runs in place, one hash at a time. */
export const createInPlaceHasher: CreateHasher = (cost, random) => ({
  hash: async (text) => (await loadArgon2()).hash(text, random(SALT_BYTES), cost),
  verify: async (text, encoded) => (await loadArgon2()).verify(text, encoded),
  close: async () => {},
})

/** How many hashes may run at a time on this platform. */
export const IN_PLACE_PARALLEL = 1
