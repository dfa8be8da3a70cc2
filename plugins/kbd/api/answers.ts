/**
 * Parameters and answers of the routes of boards, for the documentation. Those on the network differ in a few refusals.
 */
import { closed, type JsonSchema, orNull } from '../../../core/declare/json-schema.ts'
import {
  type AnswerSpec,
  type OperationSpec,
  type ParameterSpec,
  refusal,
  retryAfter,
} from '../../../core/declare/operation.ts'
import { entered, HASH, listedCommand, listOf, standing, TEXT } from './schemas.ts'

type Answers = OperationSpec['answers']

/** The store cannot be read or written. */
export const UNAVAILABLE: AnswerSpec = { ...refusal('receipt_store_unavailable'), headers: retryAfter }
/** No project of this name. */
export const NO_PROJECT: AnswerSpec = refusal('project_not_found')

/** A parameter of the query. */
export const inQuery = (name: string, description: string, schema: JsonSchema = TEXT): ParameterSpec => ({
  name,
  in: 'query',
  description,
  schema,
})

/** The answers of a route that reads. */
export const ok = (description: string, schema: JsonSchema): Answers => ({
  200: { description, schema },
  503: UNAVAILABLE,
})

/** Which page of the commands. */
export const pageParameters: readonly ParameterSpec[] = [
  inQuery('after', 'The id of a command. The list begins after it.'),
  inQuery('limit', '1 to 1 000; 100 if absent.'),
]

/** All projects. */
export const projectsAnswers: Answers = ok(
  'All projects.',
  closed('Projects', {
    projects: listOf(closed('ProjectHead', { project: TEXT, root: orNull(HASH), ...standing })),
  }),
)

/** A page of the signed commands of a project. */
export const commandsAnswers: Answers = {
  ...ok(
    'Signed commands.',
    closed('Commands', {
      commands: listOf(listedCommand),
      next: { ...orNull(HASH), description: 'The `after` of the next page; null at the end.' },
    }),
  ),
  400: refusal('malformed_request'),
  404: NO_PROJECT,
}

/** A signed command that is handed in. */
export const commandAnswers: Answers = {
  200: {
    description: 'Accepted before. The body shows the present values.',
    schema: entered,
    headers: { 'Idempotent-Replayed': 'Always `true`.' },
  },
  201: { description: 'Accepted, and on disk.', schema: entered },
  400: refusal('malformed_json', 'malformed_request', 'unsupported_schema_version', 'canonicalization_failed'),
  401: refusal('signature_invalid', 'credential_missing', 'credential_invalid'),
  403: refusal('signer_unknown', 'signer_revoked', 'signer_not_in_scope', 'transport_forbidden'),
  404: refusal('scope_not_found', 'entity_not_found', 'conflict_not_found'),
  409: refusal(
    'command_id_conflict',
    'frontier_mismatch',
    'frontier_unknown',
    'frontier_too_wide',
    'device_behind',
    'project_full',
    'entity_exists',
    'conflict_stale',
    'claim_held',
    'claim_not_held',
    'claim_limit',
  ),
  422: refusal('request_stale', 'request_from_future', 'command_invalid', 'frontier_too_old'),
  503: { ...refusal('receipt_store_unavailable', 'authority_unavailable'), headers: retryAfter },
}

/** A text that is handed in. */
export const putContentAnswers: Answers = {
  200: {
    description: 'Stored before, and not hidden by a redaction.',
    schema: closed('ContentKept', { sha256: HASH }),
  },
  201: { description: 'Stored.', schema: closed('ContentKept', { sha256: HASH }) },
  400: refusal('malformed_request'),
  404: refusal('scope_not_found'),
  422: refusal('content_mismatch'),
  429: refusal('content_full'),
  503: UNAVAILABLE,
}

/** A text. */
export const contentAnswers: Answers = {
  200: { description: 'The bytes.', media: 'application/octet-stream' },
  400: refusal('malformed_request'),
  404: refusal('content_not_found'),
  503: UNAVAILABLE,
}
