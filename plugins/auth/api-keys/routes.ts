import { httpFail } from '../../../core/catalogue.ts'
import { documented } from '../../../core/documented.ts'
import { empty, json } from '../../../core/http/reply.ts'
import type { Handler, RouteSpec } from '../../../core/http/route.ts'
import type { Identity } from '../../../core/identity.ts'
import { parseBody } from '../json-body.ts'
import { keyPrefix } from './key-text/key-text.ts'
import { readKeyRequest } from './managing/key-request.ts'
import type { KeyService } from './managing/key-service.ts'
import type { KeyOwner, KeyRecord } from './store/key-store.ts'

const MOUNTS = ['/api/svc/auth/keys', '/api/auth/keys'] as const

/** A name of 100 and 100 scopes of 128 characters take less. */
const MAX_BODY_BYTES = 16_384

/** Caches must not keep an answer that contains keys or records of keys. */
const noStore = { 'cache-control': 'no-store' }

interface KeyRoute {
  readonly spec: RouteSpec
  readonly handle: (service: KeyService) => Handler
}

/** The three operations under both paths. */
export const keyRoutes: readonly KeyRoute[] = MOUNTS.flatMap((path): KeyRoute[] => [
  {
    spec: {
      surface: 'runtime',
      method: 'POST',
      path,
      body: { type: 'application/json', maxBytes: MAX_BODY_BYTES },
      summary: documented('Creates an API key; the answer is the only place where it is ever shown.'),
    },
    handle: (service) => async (request) => {
      const owner = toOwner(request.identity)
      const wanted = readKeyRequest(parseBody(await request.body()))
      const { key, record } = await service.create(owner, request.identity, wanted)
      return json(201, { key, record: toView(record) }, { ...noStore, location: `${path}/${record.id}` })
    },
  },
  {
    spec: {
      surface: 'runtime',
      method: 'GET',
      path,
      summary: documented('Lists the API keys of the caller, revoked ones too.'),
    },
    handle: (service) => async (request) => {
      const records = await service.list(toOwner(request.identity))
      return json(200, { keys: records.map(toView) }, noStore)
    },
  },
  {
    spec: {
      surface: 'runtime',
      method: 'DELETE',
      path: `${path}/:id`,
      summary: documented(
        'Revokes an API key of the caller, with all tokens exchanged for it and all streams opened with either.',
      ),
    },
    handle: (service) => async (request) => {
      await service.revoke(toOwner(request.identity), request.params['id'] ?? '')
      return empty(204)
    },
  },
])

function toOwner(identity: Identity): KeyOwner {
  const { user, tenant } = identity
  if (user === null || tenant === null) throw httpFail('forbidden', { message: 'An anonymous caller has no API keys.' })
  return { user, tenant }
}

/** The record without the hash, as clients see it. */
function toView(record: KeyRecord): Readonly<Record<string, unknown>> {
  return {
    id: record.id,
    name: record.name,
    prefix: keyPrefix(record.id),
    user_id: record.owner.user,
    tenant_id: record.owner.tenant,
    scopes: record.scopes,
    created_at_ms: record.createdAtMs,
    expires_at_ms: record.expiresAtMs,
    last_used_at_ms: record.lastUsedAtMs,
    revoked_at_ms: record.revokedAtMs,
  }
}
