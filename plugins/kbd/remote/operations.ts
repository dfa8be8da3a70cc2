/** Parameters, bodies and answers of the routes of `kbd.remote` for OpenAPI: those of the local surface, and the refusals of users. */
import type { JsonSchema } from '../../../core/json-schema.ts'
import {
  type AccessSpec,
  type OperationSpec,
  type ParameterSpec,
  refusal,
  retryAfter,
} from '../../../core/operation.ts'
import { operations } from '../api/operations.ts'
import { envelope } from '../api/schemas.ts'

type Answers = OperationSpec['answers']

const local = (route: string): OperationSpec => operations[`local ${route}`] as OperationSpec
const limited = { 429: { ...refusal('rate_limited'), headers: retryAfter } }
const forbidden = { 403: refusal('forbidden') }
const commands = local('GET /api/v1/kbd/projects/:project/commands')

/** Who may read. */
export const READ: AccessSpec = { scopes: ['kbd:read'] }
/** Who may write. */
export const WRITE: AccessSpec = { scopes: ['kbd:write'] }
/** The body of a command. */
export const commandEnvelope: JsonSchema = envelope
/** Which page of the commands. */
export const pageParameters: readonly ParameterSpec[] = commands.parameters ?? []

/** By route. */
export const answers: Readonly<Record<'projects' | 'commands' | 'command' | 'content' | 'putContent', Answers>> = {
  projects: { ...local('GET /api/v1/kbd/projects').answers, ...forbidden, 404: refusal('project_not_found') },
  commands: { ...commands.answers, ...forbidden },
  command: {
    ...local('POST /api/v1/kbd/projects/:project/commands').answers,
    401: refusal('signature_invalid'),
    403: refusal('forbidden', 'signer_unknown', 'signer_revoked', 'signer_not_in_scope'),
    ...limited,
  },
  content: {
    ...local('GET /api/v1/kbd/content/:sha256').answers,
    ...forbidden,
    404: refusal('project_not_found', 'content_not_found'),
  },
  putContent: {
    ...local('PUT /api/v1/kbd/content/:sha256').answers,
    ...forbidden,
    429: { ...refusal('content_full', 'rate_limited') },
  },
}
