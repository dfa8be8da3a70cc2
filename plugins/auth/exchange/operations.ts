/** The OpenAPI part of `auth.exchange`. */
import { closed } from '../../../core/json-schema.ts'
import { type Operations, refusal } from '../../../core/operation.ts'

/** By surface, method and path. */
export const operations: Operations = {
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
