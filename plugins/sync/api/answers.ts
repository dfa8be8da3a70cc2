/**
 * Parameters and answers of the routes of pushes, for the documentation. Those on the network differ in a few refusals.
 */
import { closed } from '../../../core/declare/json-schema.ts'
import {
  eventStream,
  type OperationSpec,
  type ParameterSpec,
  refusal,
  retryAfter,
} from '../../../core/declare/operation.ts'
import { pushReceiptSchema } from '../engine/admission/schemas.ts'

type Answers = OperationSpec['answers']

const DEPRECATION = {
  Deprecation: 'Since when the route is deprecated (RFC 9745).',
  Sunset: 'When it goes (RFC 8594).',
  Link: 'The successor.',
}

/** A push that is handed in. */
export const pushAnswers: Answers = {
  200: {
    description: 'An exact replay: the persisted receipt.',
    schema: pushReceiptSchema,
    headers: { 'Idempotent-Replayed': 'Always `true`.' },
  },
  201: {
    description: 'A new push: its receipt, which is on disk.',
    schema: pushReceiptSchema,
    headers: { Location: 'Path of the receipt.' },
  },
  400: refusal('malformed_json', 'malformed_request', 'unsupported_schema_version', 'canonicalization_failed'),
  401: refusal('signature_invalid', 'credential_missing', 'credential_invalid'),
  403: refusal('signer_unknown', 'signer_revoked', 'signer_not_in_scope', 'domain_prohibited', 'transport_forbidden'),
  404: refusal('domain_not_found', 'scope_not_found'),
  409: refusal('request_id_conflict', 'frontier_mismatch'),
  422: refusal('target_invalid', 'target_duplicate', 'request_stale', 'request_from_future', 'frontier_not_supported'),
  503: {
    ...refusal(
      'receipt_store_unavailable',
      'authority_unavailable',
      'envelope_preparation_failed',
      'transport_unavailable',
    ),
    headers: retryAfter,
  },
}

/** The receipt of a push. */
export const receiptAnswers: Answers = {
  200: { description: 'The receipt as it stands now.', schema: pushReceiptSchema },
  404: refusal('push_not_found'),
  503: { ...refusal('receipt_store_unavailable'), headers: retryAfter },
}

/** The position after which a reader wants events. */
export const cursorParameters: readonly ParameterSpec[] = [
  {
    name: 'after',
    in: 'query',
    description: 'Only events with a greater sequence; a non-negative decimal integer.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
  {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'The same; wins over the query.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
]

/** The events of a push. */
export const eventsAnswers: Answers = {
  200: eventStream('Events named `receipt`, each a ReceiptEvent with its sequence as id; at the end one named `end`.'),
  204: { description: 'The reader is at the end already.' },
  400: refusal('malformed_request'),
  404: refusal('push_not_found'),
  503: { ...refusal('receipt_store_unavailable', 'overloaded'), headers: retryAfter },
}

/** A push of the first version. */
export const unsignedAnswers: Answers = {
  202: {
    description: 'Taken.',
    schema: closed('UnsignedPushAnswer', { pushId: { type: 'string' }, status: { type: 'string' } }),
    headers: DEPRECATION,
  },
  400: { ...refusal('malformed_json', 'malformed_request', 'canonicalization_failed'), headers: DEPRECATION },
  401: { ...refusal('credential_missing', 'credential_invalid'), headers: DEPRECATION },
  403: { ...refusal('transport_forbidden', 'domain_prohibited'), headers: DEPRECATION },
  404: { ...refusal('domain_not_found', 'scope_not_found'), headers: DEPRECATION },
  409: { ...refusal('request_id_conflict'), headers: DEPRECATION },
  422: { ...refusal('target_invalid', 'target_duplicate'), headers: DEPRECATION },
  503: {
    ...refusal('receipt_store_unavailable', 'envelope_preparation_failed', 'transport_unavailable'),
    headers: { ...DEPRECATION, ...retryAfter },
  },
}
