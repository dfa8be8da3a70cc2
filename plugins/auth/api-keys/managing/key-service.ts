import type { SvcError } from '../../../../core/declare/errors.ts'
import type { Identity } from '../../../../core/http/identity.ts'
import { httpFail } from '../../../../core/kernel/catalogue.ts'
import type { Awaitable } from '../../../../core/kernel/values.ts'
import type { RevokedUsers } from '../../api.ts'
import { readKeyCredential } from '../../credential-ids.ts'
import { RESERVED_PREFIX } from '../../delegation/reserved-scopes.ts'
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
  subjectOf,
} from '../store/key-store.ts'
import type { KeyService } from './api.ts'
import type { KeyRequest } from './key-request.ts'

/** Dependencies and limits of the service. */
export interface KeyServiceOptions {
  readonly store: KeyStore
  /** Undefined in a build where no user can be revoked. */
  readonly revoked: RevokedUsers | undefined
  readonly bounds: KeyBounds
  readonly hasher: KeyHasher
  readonly queue: HashQueue
  readonly random: (length: number) => Uint8Array
  /** How many keys an owner may create at a time. */
  readonly maxMaking: number
  /** Longest life of a key in milliseconds. */
  readonly maxLifeMs: number
  /** Unix milliseconds. */
  readonly now: () => number
  /** Called after a key was created. */
  readonly onCreated: () => void
  /** Called with the id of a key after it was revoked. */
  readonly onRevoked: (id: string) => void
}

/**
 * The hashes of all new keys wait in one line, as if one owner asked for them, so that they get one turn among the
 * owners.
 */
const CREATION_LINE = 'making'

/** Creates the service. */
export function createKeyService(options: KeyServiceOptions): KeyService {
  const { store, bounds, now } = options
  const slots = createCreationSlots(options.maxMaking)

  const hash = (owner: KeyOwner, text: string): Promise<string> =>
    slots.run(
      owner,
      () => options.queue.run(CREATION_LINE, () => options.hasher.hash(text)),
      () => {
        throw rateLimited('Too many API keys at a time.', '1')
      },
    )
  /**
   * Returns when the API key behind a caller expires: the key that was presented, or that was exchanged for a token.
   * Infinity for a caller without a key. A new key must not outlive it, or a key could live on in its descendants for
   * ever. The caller was admitted before the body arrived and before the hash was computed; the credential may have
   * ended since.
   */
  const endOfCaller = ({ credential }: Identity): Awaitable<number> => {
    const end = (parent: KeyRecord | null): number => {
      if (now() >= (credential?.expiresAtMs ?? Infinity)) throw refuse('token_expired')
      return parent?.expiresAtMs ?? Infinity
    }
    const parentId = readKeyCredential(credential)
    if (parentId === null) return end(null)
    const live = (record: KeyRecord | undefined): number => end(requireLive(record, now()))
    const parent = store.get(parentId)
    return parent instanceof Promise ? parent.then(live) : live(parent)
  }
  const create: KeyService['create'] = async (owner, caller, request) => {
    const { id, text } = createKeyText(options.random)
    const madeBy = caller.user === null || caller.user === owner.user ? undefined : caller.user
    // Taken first: a revocation from now on ends the key.
    const marks = options.revoked?.marks(subjectOf({ owner, ...(madeBy !== undefined && { madeBy }) })) ?? [0, 0]
    const createdAtMs = now()
    const lifeMs = Math.min((request.expires_in ?? Infinity) * 1000, options.maxLifeMs)
    const draft = {
      id,
      name: request.name,
      owner,
      scopes: grantScopes(request, caller, madeBy !== undefined),
      createdAtMs,
      expiresAtMs: Math.min(createdAtMs + lifeMs, await endOfCaller(caller)),
      lastUsedAtMs: null,
      revokedAtMs: null,
      ...(madeBy !== undefined && { madeBy }),
      ...(marks.some((mark) => mark > 0) && { marks }),
    }
    if (!(await store.hasRoom(draft, bounds))) throw noRoom()
    const record = { ...draft, hash: await hash({ ...owner, user: madeBy ?? owner.user }, text) }
    await endOfCaller(caller)
    if (!(await store.add(record, bounds))) throw noRoom()
    try {
      await endOfCaller(caller)
    } catch (error) {
      // The credential ended while the store was writing. The key has not been returned, and must not be usable.
      await store.revoke(id, now())
      throw error
    }
    options.onCreated()
    return { key: text, record }
  }
  return {
    create,
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

/**
 * The scopes of a new key. One for another user has no reserved scope: it would give the maker's rights over others
 * away.
 * @throws SvcError `forbidden` if a scope is not among those of the caller that the key may have
 */
function grantScopes(request: KeyRequest, caller: Identity, forAnother: boolean): readonly string[] {
  const allowed = forAnother ? caller.scopes.filter((scope) => !scope.startsWith(RESERVED_PREFIX)) : caller.scopes
  const scopes = [...new Set(request.scopes ?? allowed)]
  if (scopes.every((scope) => allowed.includes(scope))) return scopes
  throw httpFail('forbidden', { message: 'A key cannot have a scope that its creator does not have.' })
}

function noRoom(): SvcError {
  return rateLimited('There is no room for another key; revoke one first.', '60')
}

function rateLimited(message: string, seconds: string): SvcError {
  return httpFail('rate_limited', { message, headers: { 'retry-after': seconds } })
}

/** Limits how many keys each owner creates at a time. */
export interface CreationSlots {
  /** Runs `job` in a slot of the owner; calls `refuse`, which throws, if all slots of the owner are taken. */
  run<T>(owner: KeyOwner, job: () => Promise<T>, refuse: () => never): Promise<T>
}

/** Creates slots, `max` for each owner. */
function createCreationSlots(max: number): CreationSlots {
  const taken = new Map<string, number>()
  return {
    run: async (owner, job, refuse) => {
      const key = ownerKey(owner)
      const count = taken.get(key) ?? 0
      if (count >= max) refuse()
      taken.set(key, count + 1)
      try {
        return await job()
      } finally {
        const left = (taken.get(key) ?? 1) - 1
        if (left === 0) taken.delete(key)
        else taken.set(key, left)
      }
    },
  }
}
