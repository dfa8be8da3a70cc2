/** The operations of probes and metrics. */
import type { Schema } from '../../plugins/sync/engine/schemas.ts'
import { closed, type OperationSpec, refusal } from './operation.ts'

/** The body of a liveness probe. */
export const statusSchema: Schema = closed('Status', { status: { const: 'ok' } })

/** The body of a readiness probe. */
export const readySchema: Schema = closed('Readiness', {
  status: { enum: ['ready', 'unavailable'] },
  profile: { type: 'string' },
  checks: {
    type: 'object',
    additionalProperties: closed('Check', { status: { enum: ['ok', 'failed'] }, required: { type: 'boolean' } }),
  },
})

const alive = { 200: { description: 'Alive.', schema: statusSchema } }

/** By surface, method and path. */
export const probeOperations: Readonly<Record<string, OperationSpec>> = {
  'runtime GET /health': { id: 'health', answers: alive },
  'runtime GET /healthz': { id: 'healthz', answers: alive },
  'runtime GET /readyz': {
    id: 'readyz',
    answers: {
      200: { description: 'The service can do its work.', schema: readySchema },
      503: { description: 'A required check failed.', schema: readySchema },
    },
  },
  'runtime GET /metrics': {
    id: 'metrics',
    answers: {
      200: { description: 'The Prometheus text format, possibly empty.', media: 'text/plain' },
      404: { ...refusal('not_found'), description: 'A profile without metrics, such as `minimal`: `not_found`.' },
    },
  },
}
