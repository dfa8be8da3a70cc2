/** RFC 9106 section 3.1 recommends salts of 16 bytes. Stands apart so that no thread pool has to load Argon2 for it. */
export const SALT_BYTES = 16
/** Length of a hash, in bytes. */
export const HASH_BYTES = 32
