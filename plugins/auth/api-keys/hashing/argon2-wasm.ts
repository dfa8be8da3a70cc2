/** Argon2id by the WebAssembly of hash-wasm. */
import { argon2id, argon2Verify } from 'hash-wasm'
import type { Argon2 } from './hasher.ts'

/** Length of a hash, in bytes, as RFC 9106 section 4 recommends. @noble/hashes has the same by default. */
const HASH_BYTES = 32

/** Takes some 60 ms at the default cost. */
export const argon2: Argon2 = {
  hash: (text, salt, { memoryKiB, iterations, parallelism }) =>
    argon2id({
      password: text,
      salt,
      memorySize: memoryKiB,
      iterations,
      parallelism,
      hashLength: HASH_BYTES,
      outputType: 'encoded',
    }),
  verify: (text, encoded) => argon2Verify({ password: text, hash: encoded }),
}
