/** The answers of the route of the history, for OpenAPI. */
import { closed, type JsonSchema, orNull } from '../../../core/declare/json-schema.ts'
import { type OperationSpec, refusal, retryAfter } from '../../../core/declare/operation.ts'

const list = (items: JsonSchema, description: string): JsonSchema => ({ type: 'array', items, description })
const numbers = (description: string): JsonSchema => list(orNull({ type: 'number' }), description)

const checkSchema = closed('CheckDay', {
  name: { type: 'string' },
  surface: { enum: ['runtime', 'local'] },
  required: { type: 'boolean' },
  values: list(orNull({ type: 'boolean' }), 'Whether the check passed each time that it was looked at in the minute.'),
})

const daySchema = closed('Day', {
  fromMs: { type: 'integer', description: 'Unix time in milliseconds at which the first minute begins.' },
  stepMs: { type: 'integer', description: 'Milliseconds from one value to the next.' },
  checks: { type: 'array', items: checkSchema },
  requests: numbers('Requests to the runtime surface; those of probes, collectors and consoles are not counted.'),
  errors: numbers('Answers with a status of 500 or more.'),
  refusals: numbers('Answers with status 401, 403 or 429.'),
  p95Ms: numbers('95th percentile of the times to an answer, in milliseconds; null also without a request.'),
  streams: numbers('Most open event streams.'),
  starts: numbers('Starts of the service.'),
  freeBytes: numbers('Least room that the service might still use on the disk of the store, in bytes.'),
})

/** By status. */
export const answers: OperationSpec['answers'] = {
  200: {
    description: 'The last 1 440 minutes, oldest first; null where nothing is known. The last minute has not ended.',
    schema: daySchema,
  },
  403: refusal('transport_forbidden'),
  503: { ...refusal('receipt_store_unavailable'), headers: retryAfter },
}
