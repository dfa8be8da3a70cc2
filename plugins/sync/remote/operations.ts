/**
 * Parameters, bodies and answers of the routes of `sync.remote` for OpenAPI: those of the local surface, and the
 * refusals of users.
 */
import { closed, type JsonSchema, orNull } from '../../../core/declare/json-schema.ts'
import { type OperationSpec, refusal, retryAfter } from '../../../core/declare/operation.ts'
import { eventsAnswers, pushAnswers, receiptAnswers, unsignedAnswers } from '../api/answers.ts'
import { pushRequestSchema } from '../engine/admission/schemas.ts'
import { CODE_PATTERN } from './invitations/code.ts'

type Answers = OperationSpec['answers']

const limited = { 429: { ...refusal('rate_limited'), headers: retryAfter } }

/** The body of a push. */
export const pushRequest: JsonSchema = pushRequestSchema

/** The body that uses a code. */
export const invitationUse: JsonSchema = closed('InvitationUse', {
  code: { type: 'string', pattern: CODE_PATTERN },
  publicKey: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  signature: {
    type: 'string',
    description: 'Ed25519 over the canonical form of code, context `svc-device-invite-1` and publicKey, as base64.',
  },
})
const invitedDevice = closed('InvitedDevice', {
  keyId: { type: 'string' },
  scopes: { type: 'array', items: { type: 'string' } },
  label: orNull({ type: 'string' }),
  expiresAtMs: { type: ['integer', 'null'] },
})

/** By route. */
export const answers: Readonly<Record<'push' | 'receipt' | 'events' | 'devices' | 'unsigned', Answers>> = {
  push: {
    ...pushAnswers,
    401: refusal('signature_invalid'),
    403: refusal('forbidden', 'signer_unknown', 'signer_revoked', 'signer_not_in_scope', 'domain_prohibited'),
    ...limited,
  },
  receipt: { ...receiptAnswers, 403: refusal('forbidden') },
  events: { ...eventsAnswers, 403: refusal('forbidden'), ...limited },
  devices: {
    200: { description: 'Enrolled before, with this code and this key.', schema: invitedDevice },
    201: { description: 'Enrolled now.', schema: invitedDevice },
    400: refusal('malformed_json', 'malformed_request', 'canonicalization_failed'),
    403: refusal('invitation_invalid', 'forbidden'),
    404: refusal('not_found'),
    503: { ...refusal('receipt_store_unavailable'), headers: retryAfter },
    ...limited,
  },
  unsigned: { 403: { ...unsignedAnswers[403]!, ...refusal('transport_forbidden') } },
}
