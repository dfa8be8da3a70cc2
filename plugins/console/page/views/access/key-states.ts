/** The API keys of the service, and the states of keys and devices. */

/** An API key. The service stores only a hash and the prefix of its text. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly scopes: readonly string[]
  readonly created_at_ms: number
  readonly expires_at_ms: number
  readonly last_used_at_ms: number | null
  readonly revoked_at_ms: number | null
  readonly user_id: string
}

/** The keys with a text in their name, prefix, scopes or user; all of them for an empty text. */
export function keysWith(keys: readonly ApiKey[], text: string): readonly ApiKey[] {
  const sought = text.trim().toLowerCase()
  return keys.filter(({ name, prefix, scopes, user_id }) =>
    [name, prefix, user_id, ...scopes].some((one) => one.toLowerCase().includes(sought)),
  )
}

/** Whether a key or a device can be used. */
export type KeyState = 'active' | 'expired' | 'revoked'

/** The state of a key at a time. */
export function stateOfKey({ revoked_at_ms, expires_at_ms }: ApiKey, nowMs: number): KeyState {
  if (revoked_at_ms !== null) return 'revoked'
  return expires_at_ms <= nowMs ? 'expired' : 'active'
}

/** The state of a device at a time. */
export function stateOfDevice(
  { status, expiresAtMs }: { readonly status: 'active' | 'revoked'; readonly expiresAtMs: number | null },
  nowMs: number,
): KeyState {
  if (status === 'revoked') return 'revoked'
  return expiresAtMs !== null && expiresAtMs <= nowMs ? 'expired' : 'active'
}

/** Sorts keys: active keys first, and the newest first. */
export function sortedKeys(keys: readonly ApiKey[], nowMs: number): readonly ApiKey[] {
  const rank = (key: ApiKey): number => (stateOfKey(key, nowMs) === 'active' ? 0 : 1)
  return [...keys].sort((a, b) => rank(a) - rank(b) || b.created_at_ms - a.created_at_ms)
}
