/** Parameters, bodies and answers of the routes of `sync.remote` for OpenAPI: those of the local surface, and the refusals of users. */
import type { JsonSchema } from '../../../core/json-schema.ts'
import { type OperationSpec, type ParameterSpec, refusal, retryAfter } from '../../../core/operation.ts'
import { operations } from '../api/operations.ts'
import { pushRequestSchema } from '../engine/admission/schemas.ts'

type Answers = OperationSpec['answers']

const PUSHES = '/api/v2/sync/pushes'
const local = (route: string): OperationSpec => operations[`local ${route}`] as OperationSpec
const limited = { 429: { ...refusal('rate_limited'), headers: retryAfter } }
const unsigned = local('POST /api/v1/sync/push').answers

/** The body of a push. */
export const pushRequest: JsonSchema = pushRequestSchema
/** The position after which a reader wants events. */
export const cursorParameters: readonly ParameterSpec[] = local(`GET ${PUSHES}/:push_id/events`).parameters ?? []

/** By route. */
export const answers: Readonly<Record<'push' | 'receipt' | 'events' | 'unsigned', Answers>> = {
  push: {
    ...local(`POST ${PUSHES}`).answers,
    401: refusal('signature_invalid'),
    403: refusal('forbidden', 'signer_unknown', 'signer_revoked', 'signer_not_in_scope', 'domain_prohibited'),
    ...limited,
  },
  receipt: { ...local(`GET ${PUSHES}/:push_id`).answers, 403: refusal('forbidden') },
  events: { ...local(`GET ${PUSHES}/:push_id/events`).answers, 403: refusal('forbidden'), ...limited },
  unsigned: { 403: { ...unsigned[403]!, ...refusal('transport_forbidden') } },
}
