import { described } from '../../../core/declare/described.ts'
import { refusal } from '../../../core/declare/operation.ts'
import type { RouteMaker, RouteValue } from '../../../core/declare/route.ts'
import type { Identity } from '../../../core/http/identity.ts'
import { readText, readWord, wrong } from '../../../core/http/query.ts'
import { empty, json, type Reply } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import type { ActFields, Delegation } from '../api.ts'
import { parseBody } from '../token/json-object.ts'
import { access, createdKey, keyList, keyRequest, ofAll, ofUser } from './answers.ts'
import { keyPrefix } from './key-text/key-text.ts'
import type { KeyService } from './managing/api.ts'
import { pageOfKeys } from './managing/key-page.ts'
import { readKeyRequest } from './managing/key-request.ts'
import type { KeyOwner, KeyRecord, KeyStore } from './store/key-store.ts'

/** The paths, each with what distinguishes the ids of its operations. */
const MOUNTS = [
  ['/api/svc/auth/keys', ''],
  ['/api/auth/keys', 'Alias'],
] as const

/** A name of 100 and 100 scopes of 128 characters take less. */
const MAX_BODY_BYTES = 16_384

/** Caches must not keep an answer that contains keys or records of keys. */
const noStore = { 'cache-control': 'no-store' }

/** What the handlers work with. */
interface KeyParts {
  readonly service: KeyService
  readonly store: Pick<KeyStore, 'all'>
  readonly delegation: Delegation
}

/** The three operations under both paths. */
export const keyRoutes = (route: RouteMaker<KeyParts>): readonly RouteValue<KeyParts>[] =>
  MOUNTS.flatMap(([path, suffix]) => [
    route(`POST ${path}`, {
      about: described({
        id: `createKey${suffix}`,
        access: { ...access, others: { in: 'body', name: 'user_id', scopes: ['svc:keys:manage', 'svc:act'] } },
        summary: 'Creates an API key; the answer is the only place where it is ever shown.',
        request: keyRequest,
        answers: { 201: { description: 'The new key, shown here only.', schema: createdKey } },
      }),
      body: { type: 'application/json', maxBytes: MAX_BODY_BYTES },
      handler: ({ request }, parts) => create(request, path, parts),
    }),
    route(`GET ${path}`, {
      about: described({
        id: `listKeys${suffix}`,
        access,
        summary: 'Lists the API keys of the caller, revoked ones too.',
        parameters: [ofUser, ...ofAll],
        answers: {
          200: { description: 'The keys of the caller.', schema: keyList },
          400: refusal('malformed_request'),
          404: refusal('not_found'),
        },
      }),
      handler: ({ request }, parts) => list(request, parts),
    }),
    route(`DELETE ${path}/:id`, {
      about: described({
        id: `revokeKey${suffix}`,
        access,
        summary:
          'Revokes an API key of the caller, with all tokens exchanged for it and all streams opened with either.',
        parameters: [ofUser],
        answers: { 204: { description: 'Revoked, now or before.' }, 404: refusal('not_found') },
      }),
      handler: ({ request, params: { id } }, parts) => revoke(request, id, parts),
    }),
  ])

async function create(request: SvcRequest, path: string, { service, delegation }: KeyParts): Promise<Reply> {
  const caller = toOwner(request.identity)
  const wanted = readKeyRequest(parseBody(await request.body()))
  const { user_id: named } = wanted
  const owner = named === undefined ? caller : { ...caller, user: delegation.userId(named, 'user_id') }
  const forAnother = owner.user !== caller.user
  if (forAnother) {
    delegation.demand(request.identity, 'svc:keys:manage')
    delegation.demand(request.identity, 'svc:act')
  }
  const { key, record } = await service.create(owner, request.identity, wanted)
  if (forAnother) delegation.record(request.identity, 'An API key is made for a user.', { ...owner, key: record.id })
  return json(201, { key, record: toView(record) }, { ...noStore, location: `${path}/${record.id}` })
}

async function list(request: SvcRequest, { service, store, delegation }: KeyParts): Promise<Reply> {
  const isOfAll = readWord(request, 'all', ['true']) !== undefined
  if (isOfAll) {
    if (readText(request, 'user') !== undefined) throw wrong('user', 'absent with all=true')
    delegation.demand(request.identity, 'svc:keys:manage')
  }
  const owner = isOfAll ? { ...toOwner(request.identity), user: '*' } : namedOwner(request, delegation)
  const { records, ...page } = isOfAll
    ? await pageOfKeys(request, store, { tenant: owner.tenant })
    : { records: await service.list(owner) }
  recordIfOther(request, delegation, 'The API keys of a user are listed.', { ...owner })
  return json(200, { keys: records.map(toView), ...page }, noStore)
}

async function revoke(request: SvcRequest, key: string, { service, delegation }: KeyParts): Promise<Reply> {
  const owner = namedOwner(request, delegation)
  await service.revoke(owner, key)
  recordIfOther(request, delegation, 'An API key of a user is revoked.', { ...owner, key })
  return empty(204)
}

function toOwner(identity: Identity): KeyOwner {
  const { user, tenant, actor } = identity
  if (user === null || tenant === null) throw httpFail('forbidden', { message: 'An anonymous caller has no API keys.' })
  // A key would outlive the token, and would not end with the actor.
  if (actor !== undefined) throw httpFail('forbidden', { message: 'Who acts for a user has no access to API keys.' })
  return { user, tenant }
}

/** The owner whose keys a request means: the user of `?user=`, or else the caller. */
function namedOwner(request: SvcRequest, delegation: Delegation): KeyOwner {
  const caller = toOwner(request.identity)
  return { ...caller, user: delegation.userOf(request, 'svc:keys:manage') ?? caller.user }
}

function recordIfOther(request: SvcRequest, delegation: Delegation, message: string, fields: ActFields): void {
  if (fields.user !== request.identity.user) delegation.record(request.identity, message, fields)
}

/** The record without the hash, as clients see it. */
export function toView(record: KeyRecord): Readonly<Record<string, unknown>> {
  return {
    id: record.id,
    name: record.name,
    prefix: keyPrefix(record.id),
    user_id: record.owner.user,
    ...(record.madeBy !== undefined && { made_by: record.madeBy }),
    tenant_id: record.owner.tenant,
    scopes: record.scopes,
    created_at_ms: record.createdAtMs,
    expires_at_ms: record.expiresAtMs,
    last_used_at_ms: record.lastUsedAtMs,
    revoked_at_ms: record.revokedAtMs,
  }
}
