/** Sizes of API key hashes, as RFC 9106 section 4 recommends them. In a file without imports, so that its users do not load Argon2. */

/** Length of a salt, which is random, in bytes. */
export const SALT_BYTES = 16

/** Length of a hash, in bytes. */
export const HASH_BYTES = 32
