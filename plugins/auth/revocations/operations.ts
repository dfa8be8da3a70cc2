/** The shapes of requests and answers about revocations, for OpenAPI. */
import { closed, type JsonSchema, orNull } from '../../../core/declare/json-schema.ts'
import type { ParameterSpec } from '../../../core/declare/operation.ts'

const TIME: JsonSchema = { type: 'integer', description: 'Unix time in milliseconds.' }
const USER: JsonSchema = { type: 'string', description: '1 to 256 bytes, without control characters, not `*`.' }
const REASON: JsonSchema = { type: 'string', minLength: 1, maxLength: 256 }
const JTI: JsonSchema = { type: 'string', description: 'The only token that is revoked; absent if the user is.' }

/** The body of POST. */
export const revocationRequest: JsonSchema = {
  title: 'RevocationWish',
  type: 'object',
  required: ['user_id'],
  additionalProperties: false,
  properties: { user_id: USER, jti: JTI, reason: REASON },
}

/** The answer to POST. */
export const revocationMade: JsonSchema = {
  title: 'RevocationMade',
  type: 'object',
  required: ['user_id', 'tenant_id', 'not_before_ms', 'reason'],
  additionalProperties: false,
  properties: {
    user_id: USER,
    tenant_id: { type: 'string' },
    jti: JTI,
    not_before_ms: TIME,
    reason: orNull(REASON),
    durable: { type: 'boolean', description: 'False if the revocation ends with the process; else absent.' },
  },
}

/** The answer to GET. */
export const revocationList: JsonSchema = closed('Revocations', {
  revocations: {
    type: 'array',
    items: {
      title: 'Revocation',
      type: 'object',
      required: ['user_id', 'tenant_id', 'not_before_ms', 'reason', 'lifted_at_ms'],
      additionalProperties: false,
      properties: {
        user_id: USER,
        tenant_id: { type: 'string' },
        jti: JTI,
        not_before_ms: TIME,
        reason: orNull(REASON),
        lifted_at_ms: orNull(TIME),
      },
    },
  },
  next: { type: ['string', 'null'], description: 'The `before` of the next page; null on the last one.' },
})

/** The parameters of GET. */
export const pageParameters: readonly ParameterSpec[] = [
  {
    name: 'limit',
    in: 'query',
    description: 'Most revocations in the answer.',
    schema: { type: 'integer', minimum: 1, maximum: 1_000, default: 100 },
  },
  { name: 'before', in: 'query', description: 'The `next` of the page before.', schema: { type: 'string' } },
]
