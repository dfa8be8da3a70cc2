import { argon2id, argon2Verify } from 'hash-wasm'
import type { HashCost } from './hasher.ts'

const HASH_BYTES = 32

/** The encoded Argon2id hash of `text`. Holds the thread for the whole time: some 80 ms at the default cost. */
export function hashText(text: string, salt: Uint8Array, cost: HashCost): Promise<string> {
  return argon2id({
    password: text,
    salt,
    memorySize: cost.memoryKiB,
    iterations: cost.iterations,
    parallelism: cost.parallelism,
    hashLength: HASH_BYTES,
    outputType: 'encoded',
  })
}

/** Whether `text` has the hash `encoded`, at the cost that `encoded` names. Holds the thread as `hashText` does. */
export function verifyText(text: string, encoded: string): Promise<boolean> {
  return argon2Verify({ password: text, hash: encoded })
}
