/** What the routes of API keys take and answer, for OpenAPI. */
import { closed, type JsonSchema } from '../../../core/declare/json-schema.ts'
import type { AccessSpec, ParameterSpec } from '../../../core/declare/operation.ts'

const SCOPES: JsonSchema = { type: 'array', items: { type: 'string' } }
const TIME: JsonSchema = { type: 'integer', description: 'Unix time in milliseconds.' }
const TIME_OR_NULL: JsonSchema = { type: ['integer', 'null'], description: 'Unix time in milliseconds.' }

const closedRecord = closed('ApiKeyRecord', {
  id: { type: 'string' },
  name: { type: 'string' },
  prefix: { type: 'string' },
  user_id: { type: 'string' },
  tenant_id: { type: 'string' },
  scopes: SCOPES,
  created_at_ms: TIME,
  expires_at_ms: TIME,
  last_used_at_ms: TIME_OR_NULL,
  revoked_at_ms: TIME_OR_NULL,
})

/** A key as clients see it. */
export const keyRecord: JsonSchema = {
  ...closedRecord,
  properties: {
    ...closedRecord.properties,
    made_by: { type: 'string', description: 'The user who made the key for its owner; absent if the owner did.' },
  },
}

/** Names another user. */
export const ofUser: ParameterSpec = {
  name: 'user',
  in: 'query',
  description: 'Another user of the tenant; with the scope `svc:keys:manage`, where `security.delegation` is true.',
  schema: { type: 'string' },
}

/** Names all users, and a page of their keys. */
export const ofAll: readonly ParameterSpec[] = [
  {
    name: 'all',
    in: 'query',
    description:
      'The keys of all users of the tenant, newest first, in pages; with the scope `svc:keys:manage`, where `security.delegation` is true.',
    schema: { type: 'string', enum: ['true'] },
  },
  {
    name: 'limit',
    in: 'query',
    description: 'With `all=true`: most keys of the page.',
    schema: { type: 'integer', minimum: 1, maximum: 1_000, default: 100 },
  },
  {
    name: 'before',
    in: 'query',
    description: 'With `all=true`: the `next` of the page before.',
    schema: { type: 'string' },
  },
]

/** Who may call. */
export const access: AccessSpec = {
  anonymous: false,
  acting: false,
  others: { in: 'query', name: 'user', scopes: ['svc:keys:manage'] },
}

/** A request for a key. */
export const keyRequest: JsonSchema = {
  title: 'ApiKeyWish',
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', description: '1 to 100 characters.' },
    scopes: { ...SCOPES, description: "A subset of the caller's; all of them where absent." },
    expires_in: { type: 'integer', minimum: 1, description: 'Seconds.' },
    user_id: {
      type: 'string',
      description:
        'The user who gets the key; the caller where absent. Another user of the tenant with the scopes `svc:keys:manage` and `svc:act`.',
    },
  },
}

/** The answer to a request for a key. */
export const createdKey: JsonSchema = closed('CreatedApiKey', { key: { type: 'string' }, record: keyRecord })

const closedList = closed('ApiKeys', { keys: { type: 'array', items: keyRecord } })

/** A list of keys. */
export const keyList: JsonSchema = {
  ...closedList,
  properties: {
    ...closedList.properties,
    next: {
      type: ['string', 'null'],
      description: 'With `all=true`: the `before` of the next page; null on the last one. Absent without it.',
    },
  },
}
