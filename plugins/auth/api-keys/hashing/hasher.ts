/** Cost of one Argon2id hash (RFC 9106). */
export interface HashCost {
  readonly memoryKiB: number
  readonly iterations: number
  readonly parallelism: number
}

/** An implementation of Argon2id. It holds the thread while it hashes. */
export interface Argon2 {
  /** The encoded hash of `text`, which names its cost. Throws where Argon2 does not allow the cost or the salt. */
  hash(text: string, salt: Uint8Array, cost: HashCost): Promise<string>
  /** Whether `text` has the hash `encoded`, at the cost that `encoded` names. Throws where that is no hash of Argon2id. */
  verify(text: string, encoded: string): Promise<boolean>
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
