import { httpFail } from '../../../core/catalogue.ts'
import type { Identity } from '../../../core/identity.ts'
import type { HashQueue } from './hash-queue.ts'
import type { KeyHasher } from './hasher.ts'
import type { KeyOwner, KeyRecord, KeyStore } from './key-store.ts'
import { createKeyText } from './key-text.ts'
import type { KeyWish } from './key-wish.ts'

/** What managing keys needs. */
export interface KeyServiceOptions {
  readonly store: KeyStore
  readonly hasher: KeyHasher
  readonly queue: HashQueue
  readonly random: (length: number) => Uint8Array
  /** Longest life of a key in milliseconds. */
  readonly maxLifeMs: number
  /** Unix milliseconds. */
  readonly now: () => number
  /** Called with the id of a key once it is revoked. */
  readonly onRevoked: (id: string) => void
}

/** Creates, lists and revokes the keys of a caller. */
export interface KeyService {
  /** @throws SvcError `forbidden` for scopes beyond the caller's, `rate_limited` where the caller has too many keys, `overloaded` */
  create(
    owner: KeyOwner,
    caller: Identity,
    wish: KeyWish,
  ): Promise<{ readonly key: string; readonly record: KeyRecord }>
  list(owner: KeyOwner): Promise<readonly KeyRecord[]>
  /** @throws SvcError `not_found` for a key that is not the owner's */
  revoke(owner: KeyOwner, id: string): Promise<void>
}

/** Makes the service. */
export function createKeyService(options: KeyServiceOptions): KeyService {
  const { store, now } = options
  return {
    create: async (owner, caller, wish) => {
      const scopes = [...new Set(wish.scopes ?? caller.scopes)]
      if (!scopes.every((scope) => caller.scopes.includes(scope))) {
        throw httpFail('forbidden', { message: 'A key cannot have a scope that its creator does not have.' })
      }
      const { id, text } = createKeyText(options.random)
      const hash = await options.queue.run(() => options.hasher.hash(text))
      const createdAtMs = now()
      const lifeMs = Math.min((wish.expires_in ?? Number.POSITIVE_INFINITY) * 1000, options.maxLifeMs)
      const record: KeyRecord = {
        id,
        name: wish.name,
        owner,
        scopes,
        hash,
        createdAtMs,
        expiresAtMs: Math.min(createdAtMs + lifeMs, await parentExpiry(store, caller)),
        lastUsedAtMs: null,
        revokedAtMs: null,
      }
      if (!(await store.add(record))) {
        throw httpFail('rate_limited', {
          message: 'There is no room for another key; revoke one first.',
          headers: { 'retry-after': '60' },
        })
      }
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

/**
 * When the API key behind a caller expires, whether it was presented itself or was exchanged for a token; infinity where
 * the caller came without one. A key that lives on in its descendants would never have to be renewed.
 */
async function parentExpiry(store: KeyStore, caller: Identity): Promise<number> {
  const credential = caller.credential?.id
  if (credential === undefined || !credential.startsWith(CREDENTIAL)) return Number.POSITIVE_INFINITY
  return (await store.get(credential.slice(CREDENTIAL.length)))?.expiresAtMs ?? 0
}
