/**
 * Parameters, bodies and answers of the routes of `kbd.remote` for OpenAPI: those of the local surface, and the
 * refusals of users.
 */
import type { JsonSchema } from '../../../core/declare/json-schema.ts'
import { type AccessSpec, type OperationSpec, refusal, retryAfter } from '../../../core/declare/operation.ts'
import { commandAnswers, commandsAnswers, contentAnswers, projectsAnswers, putContentAnswers } from '../api/answers.ts'
import { envelope } from '../api/schemas.ts'

type Answers = OperationSpec['answers']

const limited = { 429: { ...refusal('rate_limited'), headers: retryAfter } }
const forbidden = { 403: refusal('forbidden') }

/** Who may read. */
export const READ: AccessSpec = { scopes: ['kbd:read'] }
/** Who may write. */
export const WRITE: AccessSpec = { scopes: ['kbd:write'] }
/** The body of a command. */
export const commandEnvelope: JsonSchema = envelope

/** By route. */
export const answers: Readonly<Record<'projects' | 'commands' | 'command' | 'content' | 'putContent', Answers>> = {
  projects: { ...projectsAnswers, ...forbidden, 404: refusal('project_not_found') },
  commands: { ...commandsAnswers, ...forbidden },
  command: {
    ...commandAnswers,
    401: refusal('signature_invalid'),
    403: refusal('forbidden', 'signer_unknown', 'signer_revoked', 'signer_not_in_scope'),
    ...limited,
  },
  content: {
    ...contentAnswers,
    ...forbidden,
    404: refusal('project_not_found', 'content_not_found'),
  },
  putContent: {
    ...putContentAnswers,
    ...forbidden,
    429: { ...refusal('content_full', 'rate_limited') },
  },
}
