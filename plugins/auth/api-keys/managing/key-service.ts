import type { Awaitable } from '../../../../core/awaitable.ts'
import { httpFail } from '../../../../core/catalogue.ts'
import type { SvcError } from '../../../../core/errors.ts'
import type { Identity } from '../../../../core/identity.ts'
import { refuse } from '../../errors.ts'
import type { HashQueue } from '../hashing/hash-queue.ts'
import type { KeyHasher } from '../hashing/hasher.ts'
import { createKeyText } from '../key-text/key-text.ts'
import {
  type KeyBounds,
  type KeyOwner,
  type KeyRecord,
  type KeyStore,
  ownerKey,
  requireLive,
} from '../store/key-store.ts'
import type { KeyWish } from './key-wish.ts'

/** What managing keys needs. */
export interface KeyServiceOptions {
  readonly store: KeyStore
  readonly bounds: KeyBounds
  readonly hasher: KeyHasher
  readonly queue: HashQueue
  readonly random: (length: number) => Uint8Array
  /** How many keys an owner may have in the making at a time. */
  readonly maxMaking: number
  /** Longest life of a key in milliseconds. */
  readonly maxLifeMs: number
  /** Unix milliseconds. */
  readonly now: () => number
  /** Called when a key was made. */
  readonly onCreated: () => void
  /** Called with the id of a key once it is revoked. */
  readonly onRevoked: (id: string) => void
}

/** Creates, lists and revokes the keys of a caller. */
export interface KeyService {
  /**
   * @throws SvcError `forbidden` for scopes beyond the caller's, `rate_limited` where the caller has too many keys or
   * makes too many at a time, `overloaded`, `api_key_invalid` or `token_expired` where the caller's credential ended
   * since it was admitted
   */
  create(
    owner: KeyOwner,
    caller: Identity,
    wish: KeyWish,
  ): Promise<{ readonly key: string; readonly record: KeyRecord }>
  list(owner: KeyOwner): Promise<readonly KeyRecord[]>
  /** @throws SvcError `not_found` for a key that is not the owner's */
  revoke(owner: KeyOwner, id: string): Promise<void>
}

/** All hashes of new keys wait in one lane, so that they have one turn among those of the owners who use theirs. */
const MAKING = 'making'

/** Makes the service. */
export function createKeyService(options: KeyServiceOptions): KeyService {
  const { store, bounds, now } = options
  /** How many keys each owner has in the making. */
  const making = new Map<string, number>()

  const hash = async (owner: KeyOwner, text: string): Promise<string> => {
    const key = ownerKey(owner)
    const count = making.get(key) ?? 0
    if (count >= options.maxMaking) throw wait('Too many API keys at a time.', '1')
    making.set(key, count + 1)
    try {
      return await options.queue.run(MAKING, () => options.hasher.hash(text))
    } finally {
      const left = making.get(key)! - 1
      if (left === 0) making.delete(key)
      else making.set(key, left)
    }
  }
  /**
   * When the API key behind a caller expires, whether it was presented itself or was exchanged for a token; infinity
   * where the caller came without one. A key that lives on in its descendants would never have to be renewed. The caller
   * was admitted before the body came, and before the hash was made: what he came with may have ended since.
   */
  const endOf = ({ credential }: Identity): Awaitable<number> => {
    const end = (parent: KeyRecord | null): number => {
      if (now() >= (credential?.expiresAtMs ?? Infinity)) throw refuse('token_expired')
      return parent?.expiresAtMs ?? Infinity
    }
    if (credential?.id.startsWith(CREDENTIAL) !== true) return end(null)
    const live = (record: KeyRecord | undefined): number => end(requireLive(record, now()))
    const found = store.get(credential.id.slice(CREDENTIAL.length))
    return found instanceof Promise ? found.then(live) : live(found)
  }
  return {
    create: async (owner, caller, wish) => {
      const scopes = [...new Set(wish.scopes ?? caller.scopes)]
      if (!scopes.every((scope) => caller.scopes.includes(scope))) {
        throw httpFail('forbidden', { message: 'A key cannot have a scope that its creator does not have.' })
      }
      const { id, text } = createKeyText(options.random)
      const createdAtMs = now()
      const lifeMs = Math.min((wish.expires_in ?? Infinity) * 1000, options.maxLifeMs)
      const draft = {
        id,
        name: wish.name,
        owner,
        scopes,
        createdAtMs,
        expiresAtMs: Math.min(createdAtMs + lifeMs, await endOf(caller)),
        lastUsedAtMs: null,
        revokedAtMs: null,
      }
      if (!(await store.hasRoom(draft, bounds))) throw noRoom()
      const record = { ...draft, hash: await hash(owner, text) }
      await endOf(caller)
      if (!(await store.add(record, bounds))) throw noRoom()
      try {
        await endOf(caller)
      } catch (error) {
        // The store took its time; nobody has seen the key yet, and nobody will.
        await store.revoke(id, now())
        throw error
      }
      options.onCreated()
      return { key: text, record }
    },
    list: async (owner) => store.list(owner),
    revoke: async (owner, id) => {
      const record = await store.get(id)
      if (record === undefined || record.owner.user !== owner.user || record.owner.tenant !== owner.tenant) {
        throw httpFail('not_found', { message: 'You have no such API key.' })
      }
      await store.revoke(id, now())
      options.onRevoked(id)
    },
  }
}

const CREDENTIAL = 'key:'

/** The credential id of an API key and of every token exchanged for it: revoking the key ends them all. */
export function keyCredentialId(id: string): string {
  return CREDENTIAL + id
}

function noRoom(): SvcError {
  return wait('There is no room for another key; revoke one first.', '60')
}

function wait(message: string, seconds: string): SvcError {
  return httpFail('rate_limited', { message, headers: { 'retry-after': seconds } })
}
