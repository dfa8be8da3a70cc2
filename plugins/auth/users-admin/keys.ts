/** API keys of every tenant, for the owner of the machine. */

import type { Identity } from '../../../core/http/identity.ts'
import { pathParam, type SvcRequest } from '../../../core/http/request.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import { isObject } from '../../../core/kernel/values.ts'
import type { KeyOwner, KeyRecord } from '../api.ts'
import { allKeys, pageOfKeys } from '../api-keys/managing/key-page.ts'
import { readKeyRequest } from '../api-keys/managing/key-request.ts'
import { toView } from '../api-keys/routes.ts'
import { isLive } from '../api-keys/store/key-store.ts'
import { parseBody } from '../token/json-object.ts'
import { ownersOf, type UserParts } from './parts.ts'

/** How long a key and the one that replaces it are both valid, at most and without `overlap`, in seconds. */
const MAX_OVERLAP_S = 604_800
const DEFAULT_OVERLAP_S = 3_600

/** The name of a key that is created without one. */
const DEFAULT_NAME = 'made by the owner of the machine'

/** A page of the keys of one or of all tenants. @throws SvcError `malformed_request`, `overloaded`, `not_found` */
export async function listKeys(request: SvcRequest, parts: UserParts): Promise<object> {
  const owners = ownersOf(request, parts)
  const { records, next } = await pageOfKeys(request, parts.keys.store, owners)
  parts.delegation.record(request.identity, 'API keys are listed.', {
    tenant: owners.tenant ?? '*',
    user: owners.user ?? '*',
  })
  return { keys: records.map(toView), next }
}

/**
 * Creates a key of any user. In the place of another key: with the owner, the name and the scopes of that key where the
 * request has none, and that key ends after the overlap.
 * @throws SvcError `malformed_request`, `not_found`, `rate_limited`, `overloaded`
 */
export async function createKey(request: SvcRequest, parts: UserParts): Promise<object> {
  const { keys, delegation, now } = parts
  const wanted = readWanted(parseBody(await request.body()))
  const old = wanted.replaces === undefined ? undefined : await liveKey(wanted.replaces, parts)
  const owner: KeyOwner = {
    user: delegation.userId(wanted.request.user_id ?? old?.owner.user, 'user_id'),
    tenant: tenantIn(wanted.tenant_id ?? old?.owner.tenant),
  }
  if (old !== undefined && (old.owner.user !== owner.user || old.owner.tenant !== owner.tenant))
    throw malformed('replaces: expected a key of the same user and tenant')
  const scopes = wanted.request.scopes ?? old?.scopes ?? []
  const name = wanted.request.name ?? old?.name ?? DEFAULT_NAME
  // The owner of the machine may give any scope, and is nobody with whom the key would end.
  const maker: Identity = { kind: 'local', user: null, tenant: null, scopes, credential: null }
  const { key, record } = await keys.service.create(owner, maker, { ...wanted.request, name, scopes })
  if (old !== undefined) {
    try {
      await allKeys(keys.store).endBy(old.id, now() + wanted.overlapSeconds * 1_000)
    } catch (error) {
      // The key has not been returned, and nobody could end it.
      await keys.service.revoke(owner, record.id)
      throw error
    }
  }
  delegation.record(request.identity, 'An API key is made for a user.', {
    ...owner,
    key: record.id,
    scope: scopes.join(' '),
    ...(old !== undefined && { replaces: old.id }),
  })
  return { key, record: toView(record) }
}

/** Revokes a key of any user. @throws SvcError `not_found`, `overloaded` */
export async function revokeKey(request: SvcRequest, { keys, delegation }: UserParts): Promise<object> {
  const id = pathParam(request, 'id')
  const { owner } = (await keys.store.get(id)) ?? noKey()
  await keys.service.revoke(owner, id)
  delegation.record(request.identity, 'An API key of a user is revoked.', { ...owner, key: id })
  return toView((await keys.store.get(id)) ?? noKey())
}

interface Wanted {
  readonly request: Partial<ReturnType<typeof readKeyRequest>>
  readonly tenant_id: unknown
  readonly replaces: string | undefined
  readonly overlapSeconds: number
}

function readWanted(body: unknown): Wanted {
  const { tenant_id, replaces, overlap, name, ...rest } = isObject(body) ? body : ({ body } as Record<string, unknown>)
  // Here a name is optional.
  const { name: read, ...request } = readKeyRequest({ ...rest, name: name ?? DEFAULT_NAME })
  if (replaces !== undefined && typeof replaces !== 'string') throw malformed('replaces: expected the id of a key')
  const isOverlap = Number.isSafeInteger(overlap) && Number(overlap) >= 0 && Number(overlap) <= MAX_OVERLAP_S
  if (overlap !== undefined && !(isOverlap && replaces !== undefined))
    throw malformed(`overlap: expected a whole number of seconds from 0 to ${MAX_OVERLAP_S}, beside replaces`)
  return {
    request: { ...request, ...(name !== undefined && { name: read }) },
    tenant_id,
    replaces,
    overlapSeconds: isOverlap ? Number(overlap) : DEFAULT_OVERLAP_S,
  }
}

function tenantIn(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value
  throw malformed('tenant_id: expected the name of a tenant')
}

function malformed(problem: string): Error {
  return httpFail('malformed_request', { message: `The body does not have the expected shape. ${problem}` })
}

async function liveKey(id: string, { keys, now }: UserParts): Promise<KeyRecord> {
  const record = await keys.store.get(id)
  return record !== undefined && isLive(record, now()) ? record : noKey()
}

function noKey(): never {
  throw httpFail('not_found', { message: 'There is no such API key.' })
}
