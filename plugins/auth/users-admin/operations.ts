/** Parameters, bodies and answers of the routes of `auth.users-admin` for OpenAPI. */
import { closed, type JsonSchema, orNull } from '../../../core/declare/json-schema.ts'
import { type OperationSpec, type ParameterSpec, refusal, retryAfter } from '../../../core/declare/operation.ts'
import { keyRecord } from '../api-keys/answers.ts'
import { pageParameters, revocationMade } from '../revocations/operations.ts'

const text = (name: string, description: string): ParameterSpec => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string' },
})
const user: readonly ParameterSpec[] = [text('tenant', 'The tenant of the user; required.'), text('user', 'Required.')]

/** By route. */
export const parameters: Readonly<Record<'tenants' | 'listKeys' | 'revokeUser' | 'user', readonly ParameterSpec[]>> = {
  tenants: [text('user', 'The user; required.')],
  listKeys: [
    text('tenant', 'Keys of this tenant; of all tenants where absent.'),
    text('user', 'Keys of this user; of all users where absent.'),
    ...pageParameters,
  ],
  revokeUser: [...user, text('reason', '1 to 256 characters.')],
  user,
}

/** The body of a request for a key. */
export const keyRequest: JsonSchema = {
  title: 'AnyApiKeyWish',
  type: 'object',
  additionalProperties: false,
  properties: {
    user_id: { type: 'string', description: 'Required without `replaces`.' },
    tenant_id: { type: 'string', description: 'Required without `replaces`.' },
    name: { type: 'string', description: '1 to 100 characters.' },
    scopes: {
      type: 'array',
      items: { type: 'string' },
      description: 'Any scopes; none where absent, or those of the replaced key.',
    },
    expires_in: { type: 'integer', minimum: 1, description: 'Seconds.' },
    replaces: { type: 'string', description: 'The id of a key of the same user, which ends after `overlap`.' },
    overlap: { type: 'integer', minimum: 0, maximum: 604_800, default: 3_600, description: 'Seconds.' },
  },
}

const refused: OperationSpec['answers'] = {
  400: refusal('malformed_request'),
  403: refusal('transport_forbidden'),
  503: { ...refusal('overloaded'), headers: retryAfter },
}
const { title: _, ...revocation } = revocationMade
const count: JsonSchema = { type: 'integer', minimum: 0 }

/** By route. */
export const answers: Readonly<
  Record<
    'tenants' | 'listKeys' | 'createKey' | 'revokeKey' | 'revokeUser' | 'restoreUser' | 'eraseUser',
    OperationSpec['answers']
  >
> = {
  tenants: {
    200: {
      description: 'The tenants, in order.',
      schema: closed('Tenants', { tenants: { type: 'array', items: { type: 'string' } } }),
    },
    ...refused,
  },
  listKeys: {
    200: {
      description: 'A page of keys, newest first.',
      schema: closed('ApiKeysPage', {
        keys: { type: 'array', items: keyRecord },
        next: orNull({ type: 'string', description: 'The `before` of the next page; null on the last one.' }),
      }),
    },
    404: refusal('not_found'),
    ...refused,
  },
  createKey: {
    201: {
      description: 'The new key, shown here only.',
      schema: closed('CreatedApiKey', { key: { type: 'string' }, record: keyRecord }),
    },
    404: refusal('not_found'),
    429: { ...refusal('rate_limited'), headers: retryAfter },
    ...refused,
  },
  revokeKey: {
    200: { description: 'The key, revoked now or before.', schema: keyRecord },
    404: refusal('not_found'),
    ...refused,
  },
  revokeUser: {
    200: { description: 'Revoked on this node; on every other one within a second.', schema: revocationMade },
    ...refused,
  },
  restoreUser: {
    200: {
      description: 'The lifted revocation.',
      schema: {
        ...revocation,
        title: 'RevocationLifted',
        properties: {
          ...revocation.properties,
          lifted_at_ms: { type: 'integer', description: 'Unix time in milliseconds.' },
        },
      },
    },
    404: refusal('not_found'),
    ...refused,
  },
  eraseUser: {
    200: {
      description: 'How many keys, runs, and reasons of revocations were erased.',
      schema: closed('ErasedUser', {
        tenant_id: { type: 'string' },
        user_id: { type: 'string' },
        keys: count,
        runs: count,
        reasons: count,
      }),
    },
    ...refused,
  },
}
