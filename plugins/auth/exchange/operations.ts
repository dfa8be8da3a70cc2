/** The OpenAPI part of `auth.exchange`. */
import { closed } from '../../../core/json-schema.ts'
import { type Operations, refusal } from '../../../core/operation.ts'

/** By surface, method and path. */
export const operations: Operations = {
  'runtime POST /api/svc/auth/exchange': {
    id: 'exchangeKey',
    access: { credential: 'key', others: { in: 'body', name: 'subject', scopes: ['svc:act'] } },
    request: {
      title: 'ExchangeRequest',
      type: 'object',
      additionalProperties: false,
      properties: {
        api_key: { type: 'string', description: 'The key, if it is not in `X-API-Key`.' },
        subject: {
          type: 'string',
          description:
            'The user of the tenant for whom the token is. The key needs the scope `svc:act`, and `security.delegation` must be true.',
        },
        scope: {
          type: 'string',
          description:
            'Scopes, separated by blanks. Those that the key lacks are left out, and with `subject` the reserved ones.',
        },
        expires_in: { type: 'integer', minimum: 1, description: 'Seconds, at most `security.exchange_ttl_seconds`.' },
      },
    },
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
