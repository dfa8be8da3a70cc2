/** Variables for hashes of the lowest cost, for tests that make and verify many API keys and are not about hashing. */
export const cheapHashes: Readonly<Record<string, string>> = {
  SVC_SECURITY__ARGON2_MEMORY_KIB: '8',
  SVC_SECURITY__ARGON2_ITERATIONS: '1',
}
