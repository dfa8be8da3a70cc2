import type { Awaitable } from '../../../../core/awaitable.ts'
import { refuse } from '../../errors.ts'

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

/** A key that is about to be made. */
export type KeyDraft = Omit<KeyRecord, 'hash'>

/** How many keys there may be. */
export interface KeyBounds {
  readonly maxKeys: number
  readonly maxKeysPerOwner: number
  /** Of one owner's keys as a list shows them, in bytes. */
  readonly maxBytesPerOwner: number
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
  /** Whether there is room for the key; asked before its hash is made, which is dear. */
  hasRoom(draft: KeyDraft, bounds: KeyBounds): Awaitable<boolean>
  /** Keeps a new key; false where there is no room for another. */
  add(record: KeyRecord, bounds: KeyBounds): Awaitable<boolean>
  /** Notes that the key is revoked. A second time changes nothing. */
  revoke(id: string, atMs: number): Awaitable<void>
  /** Notes a use of the key. */
  touch(id: string, atMs: number): Awaitable<void>
  /** Calls `listener` with the id of each key that is revoked elsewhere, where others than this process can do so. */
  onRevoked?(listener: (id: string) => void): void
}

/** Tenant and user as one text; JSON keeps the pair apart whatever is in the two. */
export function ownerKey(owner: KeyOwner): string {
  return JSON.stringify([owner.tenant, owner.user])
}

/** Whether a key may be used at `nowMs`. */
export function isLive(record: KeyRecord, nowMs: number): boolean {
  return record.revokedAtMs === null && nowMs < record.expiresAtMs
}

/**
 * The record of a key that may be used at `nowMs`.
 * @throws SvcError `api_key_invalid`
 */
export function requireLive(record: KeyRecord | undefined, nowMs: number): KeyRecord {
  if (record === undefined || !isLive(record, nowMs)) throw refuse('api_key_invalid')
  return record
}
