import type { Awaitable } from '../../../core/awaitable.ts'

/** Whose keys: each key belongs to one user of one tenant. */
export interface KeyOwner {
  readonly user: string
  readonly tenant: string
}

/** An API key as it is kept. Times are Unix milliseconds. */
export interface KeyRecord {
  readonly id: string
  readonly name: string
  readonly owner: KeyOwner
  readonly scopes: readonly string[]
  /** Argon2id hash in its encoded form; the key itself is nowhere. */
  readonly hash: string
  readonly createdAtMs: number
  readonly expiresAtMs: number
  readonly lastUsedAtMs: number | null
  readonly revokedAtMs: number | null
}

/**
 * Where API keys are kept. A store that answers `get` at once keeps the path of cached keys free of promises; a store
 * behind a network may answer with promises throughout.
 */
export interface KeyStore {
  /** Whether keys are still there after a restart of the process. */
  readonly durable: boolean
  /** The record of a key; asked for at every use of the key and of the tokens exchanged for it. */
  get(id: string): Awaitable<KeyRecord | undefined>
  /** The keys of an owner, oldest first. */
  list(owner: KeyOwner): Awaitable<readonly KeyRecord[]>
  /** Keeps a new key; false where there is no room for another. */
  add(record: KeyRecord): Awaitable<boolean>
  /** Notes that the key is revoked. A second time changes nothing. */
  revoke(id: string, atMs: number): Awaitable<void>
  /** Notes a use of the key. */
  touch(id: string, atMs: number): Awaitable<void>
}

/** Whether a key may be used at `nowMs`. */
export function isLive(record: KeyRecord, nowMs: number): boolean {
  return record.revokedAtMs === null && nowMs < record.expiresAtMs
}
