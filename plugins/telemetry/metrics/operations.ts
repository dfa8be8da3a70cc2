/** The OpenAPI part of `telemetry.metrics`. */
import { type Operations, refusal } from '../../../core/operation.ts'

/** By surface, method and path. */
export const operations: Operations = {
  'runtime GET /metrics': {
    id: 'metrics',
    answers: {
      200: { description: 'The Prometheus text format, possibly empty.', media: 'text/plain' },
      404: { ...refusal('not_found'), description: 'A profile without metrics, such as `minimal`: `not_found`.' },
    },
  },
}
