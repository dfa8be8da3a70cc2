/** The OpenAPI part of `probes`. */
import { type Operations, readySchema, statusSchema } from '../../core/operation.ts'

const alive = { 200: { description: 'Alive.', schema: statusSchema } }

/** By surface, method and path. */
export const operations: Operations = {
  'runtime GET /health': { id: 'health', answers: alive },
  'runtime GET /healthz': { id: 'healthz', answers: alive },
  'runtime GET /readyz': {
    id: 'readyz',
    answers: {
      200: { description: 'The service can do its work.', schema: readySchema },
      503: { description: 'A required check failed.', schema: readySchema },
    },
  },
}
