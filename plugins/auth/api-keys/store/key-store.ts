import type { Awaitable } from '../../../../core/kernel/values.ts'
import { refuse } from '../../errors.ts'
import type { RevocationMarks, Subject } from '../../revocations/types.ts'

/** The owner of a key: one user of one tenant. */
export interface KeyOwner {
  readonly user: string
  readonly tenant: string
}

/** The stored form of an API key. Times are Unix milliseconds. */
export interface KeyRecord {
  readonly id: string
  readonly name: string
  readonly owner: KeyOwner
  readonly scopes: readonly string[]
  /** Argon2id hash in its encoded form. The key itself is not stored. */
  readonly hash: string
  readonly createdAtMs: number
  readonly expiresAtMs: number
  readonly lastUsedAtMs: number | null
  readonly revokedAtMs: number | null
  /** The user of the same tenant who has made the key for its owner; absent if the owner has. */
  readonly madeBy?: string
  /**
   * The numbers of the last revocations of the owner and of its maker when the key was made; absent if there were none.
   */
  readonly marks?: RevocationMarks
}

/** A key that is being created and has no hash yet. */
export type KeyDraft = Omit<KeyRecord, 'hash'>

/** What a report of keys that end needs of a key. */
export type KeyEnding = Pick<KeyRecord, 'id' | 'owner' | 'madeBy' | 'marks' | 'expiresAtMs'>

/** Whose keys: those of all owners that have these members. */
export type KeyOwners = Partial<KeyOwner>

/** The place of a key in the lists of all owners, which have the newest key first. */
export type KeyPlace = Pick<KeyRecord, 'createdAtMs' | 'id'>

/** What the owner of the machine does with the keys of all tenants, and an operator with those of its own tenant. */
export interface AllKeys {
  /** At most `limit` keys behind a place, newest first. */
  page(owners: KeyOwners, limit: number, before?: KeyPlace): Awaitable<readonly KeyRecord[]>
  /** The tenants in which a user has keys. */
  tenantsOf(user: string): Awaitable<readonly string[]>
  /** Lets a key end at a time. A key that ends earlier stays as it is. */
  endBy(id: string, atMs: number): Awaitable<void>
  /** Removes the keys of an owner, and returns their ids. None of them is valid any more. */
  erase(owner: KeyOwner, nowMs: number): Awaitable<readonly string[]>
}

/** Limits of a store. */
export interface KeyBounds {
  readonly maxKeys: number
  readonly maxKeysPerTenant: number
  readonly maxKeysPerOwner: number
  /** Size of the list of one owner's keys, in bytes. */
  readonly maxBytesPerOwner: number
}

/**
 * A store of API keys. A local store should answer `get` without a promise, which makes requests with a cached key
 * faster; a store behind a network may return promises everywhere.
 */
export interface KeyStore {
  /** Whether keys survive a restart of the process. */
  readonly durable: boolean
  /** Returns the record of a key. Called at every use of the key and of the tokens exchanged for it. */
  get(id: string): Awaitable<KeyRecord | undefined>
  /** Returns the keys of an owner, oldest first. */
  list(owner: KeyOwner): Awaitable<readonly KeyRecord[]>
  /** Whether there is room for the key. Called before its hash is computed, which is expensive. */
  hasRoom(draft: KeyDraft, bounds: KeyBounds): Awaitable<boolean>
  /** Stores a new key; returns false if there is no room for it. */
  add(record: KeyRecord, bounds: KeyBounds): Awaitable<boolean>
  /** Marks a key as revoked. A second time changes nothing. */
  revoke(id: string, atMs: number): Awaitable<void>
  /** Writes the time of the last use of a key. */
  touch(id: string, atMs: number): Awaitable<void>
  /**
   * Returns the keys that are live at `nowMs` and end before `untilMs`, in any order. Without it neither the log nor a
   * metric warns of keys that end soon.
   */
  ending?(nowMs: number, untilMs: number): Awaitable<readonly KeyEnding[]>
  /** The keys of all tenants. Without it nobody has lists of the keys of several users. */
  readonly all?: AllKeys
  /**
   * Calls `listener` with the id of each key that another process revokes. Only for stores that several processes
   * share.
   */
  onRevoked?(listener: (id: string) => void): void
}

/** Returns tenant and user as one text. JSON keeps the two apart, whatever characters they contain. */
export function ownerKey(owner: KeyOwner): string {
  return JSON.stringify([owner.tenant, owner.user])
}

/** The owner of a key, and its maker if that is another user. */
export function subjectOf({ owner, madeBy }: Pick<KeyRecord, 'owner' | 'madeBy'>): Subject {
  const { tenant, user } = owner
  return { tenant, user, ...(madeBy !== undefined && { actor: madeBy }) }
}

/** Orders keys by their places, the newest first. Keys of one millisecond are in the order of their ids. */
export function comparePlaces(one: KeyPlace, other: KeyPlace): number {
  return other.createdAtMs - one.createdAtMs || (one.id < other.id ? 1 : one.id > other.id ? -1 : 0)
}

/** Whether a key may be used at `nowMs`. */
export function isLive(record: KeyRecord, nowMs: number): boolean {
  return record.revokedAtMs === null && nowMs < record.expiresAtMs
}

/**
 * Returns the record if the key may be used at `nowMs`.
 * @throws SvcError `api_key_invalid`
 */
export function requireLive(record: KeyRecord | undefined, nowMs: number): KeyRecord {
  if (record === undefined || !isLive(record, nowMs)) throw refuse('api_key_invalid')
  return record
}
