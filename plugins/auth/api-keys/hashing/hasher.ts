/**
 * How API keys are hashed: by Argon2id (RFC 9106) over the whole text of the key, with a random salt of 16 bytes, to 32
 * bytes. argon2.ts chooses WebAssembly or JavaScript, which give the same hash. The cost is a setting (../settings.ts:
 * by default 19 456 KiB, two passes, one lane). Stored is the encoded form `$argon2id$v=19$m=…,t=…,p=…$salt$hash`,
 * which contains the cost.
 */

/** Cost of one Argon2id hash (RFC 9106). */
export interface HashCost {
  readonly memoryKiB: number
  readonly iterations: number
  readonly parallelism: number
}

/** An implementation of Argon2id. It holds the thread while it hashes. */
export interface Argon2 {
  /**
   * Returns the encoded hash of `text`, which contains the cost. Throws if Argon2 does not allow the cost or the salt.
   */
  hash(text: string, salt: Uint8Array, cost: HashCost): Promise<string>
  /** Whether `text` has the hash `encoded`, at the cost in `encoded`. Throws if `encoded` is no encoded Argon2 hash. */
  verify(text: string, encoded: string): Promise<boolean>
}

/** Hashes API keys. Implementations differ by platform; callers go through a `HashQueue`. */
export interface KeyHasher {
  /**
   * Returns the Argon2id hash of `text` with a random salt of 16 bytes, in the encoded form, which contains the cost.
   */
  hash(text: string): Promise<string>
  /** Whether `text` has the hash `encoded`. */
  verify(text: string, encoded: string): Promise<boolean>
  /** Ends the threads of the hasher, which can still be used afterwards. */
  close(): Promise<void>
}

/** Creates the hasher of a platform. `random` returns the given number of random bytes. */
export type CreateHasher = (cost: HashCost, random: (length: number) => Uint8Array) => KeyHasher

/** RFC 9106 section 4 recommends salts of 16 bytes. In a file without imports, so that its users do not load Argon2. */
export const SALT_BYTES = 16
