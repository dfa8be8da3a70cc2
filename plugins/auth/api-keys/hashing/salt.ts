/** RFC 9106 section 4 recommends salts of 16 bytes. In a file without imports, so that its users do not load Argon2. */
export const SALT_BYTES = 16
