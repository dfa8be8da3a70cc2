import { hashText, verifyText } from './argon2.ts'
import { SALT_BYTES } from './argon2-cost.ts'
import type { CreateHasher } from './hasher.ts'

/** The hasher where there are no threads: it runs in place, one hash at a time. */
export const createInPlaceHasher: CreateHasher = (cost, random) => ({
  hash: (text) => hashText(text, random(SALT_BYTES), cost),
  verify: verifyText,
  close: async () => {},
})

/** How many hashes may run at a time on this platform. */
export const IN_PLACE_PARALLEL = 1
