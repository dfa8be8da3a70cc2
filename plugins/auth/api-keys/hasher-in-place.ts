import { later } from '../../../core/later.ts'
import { SALT_BYTES } from './argon2-cost.ts'
import type { CreateHasher } from './hasher.ts'

/** Argon2 is a file of its own where there is more than one: who never meets an API key never loads it. */
const argon2 = later(async () => {
  const made = await import('./argon2.ts')
  await made.prepare()
  return made
})

/** The hasher where there are no threads: it runs in place, one hash at a time. */
export const createInPlaceHasher: CreateHasher = (cost, random) => ({
  hash: async (text) => (await argon2()).hashText(text, random(SALT_BYTES), cost),
  verify: async (text, encoded) => (await argon2()).verifyText(text, encoded),
  close: async () => {},
})

/** How many hashes may run at a time on this platform. */
export const IN_PLACE_PARALLEL = 1
