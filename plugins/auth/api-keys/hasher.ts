/** Cost of one Argon2id hash (RFC 9106). */
export interface HashCost {
  readonly memoryKiB: number
  readonly iterations: number
  readonly parallelism: number
}

/** Hashes API keys. Implementations differ by platform; callers keep to the limits of `HashQueue`. */
export interface KeyHasher {
  /** The Argon2id hash of `text` under a random salt of 16 bytes, in the encoded form that names its own cost. */
  hash(text: string): Promise<string>
  /** Whether `text` has the hash `encoded`. */
  verify(text: string, encoded: string): Promise<boolean>
  /** Frees what the hasher holds; afterwards it can still be used. */
  close(): Promise<void>
}

/** Makes the hasher of a platform. `random` gives as many random bytes as it is asked for. */
export type CreateHasher = (cost: HashCost, random: (length: number) => Uint8Array) => KeyHasher
