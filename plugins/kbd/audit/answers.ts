/** What the routes of the audit chain take and answer, for OpenAPI. */
import { closed, type JsonSchema, orNull } from '../../../core/declare/json-schema.ts'
import { type OperationSpec, type ParameterSpec, refusal, retryAfter } from '../../../core/declare/operation.ts'

const TIME: JsonSchema = { type: 'integer', description: 'Unix time in milliseconds.' }
const COUNT: JsonSchema = { type: 'integer', minimum: 0 }
const TEXT: JsonSchema = { type: 'string' }
const HASH: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{64}$' }
const UNAVAILABLE = { ...refusal('receipt_store_unavailable'), headers: retryAfter }

const auditHead = closed('AuditHead', { seq: COUNT, hash: HASH })
const auditMembers = closed('AuditEntry', {
  seq: { type: 'integer', minimum: 1 },
  atMs: TIME,
  kind: TEXT,
  project: orNull(TEXT),
  subject: orNull(TEXT),
  actor: { type: 'string', description: 'A key id, or `owner`.' },
  outcome: { type: 'string', description: '`ok` or a code.' },
  hash: HASH,
})
const auditEntry: JsonSchema = {
  ...auditMembers,
  properties: {
    ...auditMembers.properties,
    user: { type: 'string', description: 'The user who handed it in over the network; absent on the other surfaces.' },
  },
}
const checkpoint: JsonSchema = {
  title: 'AuditCheckpoint',
  type: ['object', 'null'],
  required: ['context', 'seq', 'hash', 'atMs', 'endpointId', 'signature'],
  additionalProperties: false,
  properties: {
    context: { const: 'svc-audit-checkpoint-1' },
    seq: COUNT,
    hash: HASH,
    atMs: TIME,
    endpointId: HASH,
    signature: TEXT,
  },
}
const inQuery = (name: string, description: string): ParameterSpec => ({ name, in: 'query', description, schema: TEXT })
const ok = (description: string, schema: JsonSchema) => ({ 200: { description, schema }, 503: UNAVAILABLE })

/** The query of a list. */
export const listParameters: readonly ParameterSpec[] = [
  inQuery('after', 'Only entries with a greater `seq`.'),
  inQuery('limit', '1 to 1 000; 100 if absent.'),
  inQuery('project', 'Only entries of this project.'),
  inQuery('kind', 'Only entries of this kind.'),
]

/** A list, by status. */
export const listAnswers: OperationSpec['answers'] = {
  ...ok('Entries in order.', closed('AuditPage', { entries: { type: 'array', items: auditEntry }, head: auditHead })),
  400: refusal('malformed_request'),
}

/** A verification, by status. */
export const verifyAnswers: OperationSpec['answers'] = ok(
  'What a walk over the whole chain found.',
  closed('AuditVerdict', {
    ok: { type: 'boolean' },
    count: COUNT,
    head: auditHead,
    firstBad: { type: ['integer', 'null'], description: 'The `seq` of the first entry that is wrong or missing.' },
    checkpoint,
  }),
)
