/** The OpenAPI part of `realtime.bridge`. */
import { eventStream, type Operations } from '../../../core/operation.ts'
import { limited } from '../operation-parts.ts'

/** By surface, method and path. */
export const operations: Operations = {
  'runtime GET /api/svc/sync/stream': {
    id: 'bridge',
    answers: { 200: eventStream('What every topic holds, `$svc` `ready`, then changes.'), ...limited },
  },
}
