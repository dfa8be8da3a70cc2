/** The operations of API keys and their exchange. */
import type { Schema } from '../../plugins/sync/engine/schemas.ts'
import { closed, type OperationSpec, refusal } from './operation.ts'

const SCOPES: Schema = { type: 'array', items: { type: 'string' } }
const TIME: Schema = { type: 'integer', description: 'Unix time in milliseconds.' }
const TIME_OR_NULL: Schema = { type: ['integer', 'null'], description: 'Unix time in milliseconds.' }

const keyRecord = closed('ApiKeyRecord', {
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

const keyWish: Schema = {
  title: 'ApiKeyWish',
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', description: '1 to 100 characters.' },
    scopes: { ...SCOPES, description: "A subset of the caller's; all of them where absent." },
    expires_in: { type: 'integer', minimum: 1, description: 'Seconds.' },
  },
}

const mounts: readonly [path: string, suffix: string][] = [
  ['/api/svc/auth/keys', ''],
  ['/api/auth/keys', 'Alias'],
]

/** By surface, method and path. */
export const authOperations: Readonly<Record<string, OperationSpec>> = {
  ...Object.fromEntries(
    mounts.flatMap(([path, suffix]): [string, OperationSpec][] => [
      [
        `runtime POST ${path}`,
        {
          id: `createKey${suffix}`,
          request: keyWish,
          answers: {
            201: {
              description: 'The new key, shown here only.',
              schema: closed('CreatedApiKey', { key: { type: 'string' }, record: keyRecord }),
            },
          },
        },
      ],
      [
        `runtime GET ${path}`,
        {
          id: `listKeys${suffix}`,
          answers: {
            200: {
              description: 'The keys of the caller.',
              schema: closed('ApiKeys', { keys: { type: 'array', items: keyRecord } }),
            },
          },
        },
      ],
      [
        `runtime DELETE ${path}/:id`,
        {
          id: `revokeKey${suffix}`,
          answers: { 204: { description: 'Revoked, now or before.' }, 404: refusal('not_found') },
        },
      ],
    ]),
  ),
  'runtime POST /api/svc/auth/exchange': {
    id: 'exchangeKey',
    request: closed('ExchangeRequest', { api_key: { type: 'string' } }),
    answers: {
      200: {
        description: 'A short-lived bearer token.',
        schema: closed('ExchangedToken', {
          access_token: { type: 'string' },
          issued_token_type: { const: 'urn:ietf:params:oauth:token-type:access_token' },
          token_type: { const: 'Bearer' },
          expires_in: { type: 'integer', description: 'Seconds.' },
          scope: { type: 'string' },
        }),
      },
      401: refusal('api_key_invalid'),
    },
  },
}
