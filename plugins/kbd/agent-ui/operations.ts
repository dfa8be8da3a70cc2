/** The OpenAPI part of `kbd.agent-ui`. */
import { eventStream, type Operations, refusal, retryAfter } from '../../../core/operation.ts'
import { ETAG, IF_NONE_MATCH, projectSchema } from '../api/schemas.ts'

const FOLLOWED = eventStream(
  'Events of AG-UI: RUN_STARTED, STATE_SNAPSHOT, then for each command a STATE_DELTA and a CUSTOM `svc.kbd.conflict` for ' +
    'each conflict that it opened. A reader that fell far behind gets another STATE_SNAPSHOT instead.',
)
const NO_PROJECT = refusal('project_not_found')
const UNAVAILABLE = { ...refusal('receipt_store_unavailable'), headers: retryAfter }
const STREAMS_FULL = { ...refusal('overloaded', 'receipt_store_unavailable'), headers: retryAfter }

/** By surface, method and path. */
export const operations: Operations = {
  'local GET /api/v1/agent-ui/projects/:project/stream': {
    id: 'boardStream',
    answers: { 200: FOLLOWED, 404: NO_PROJECT, 503: STREAMS_FULL },
  },
  'runtime GET /api/svc/kbd/:project': {
    id: 'boardMirror',
    access: { scopes: ['kbd:read'] },
    parameters: [IF_NONE_MATCH],
    answers: {
      200: { description: 'The project.', schema: projectSchema, headers: ETAG },
      304: { description: 'The project has not changed.', headers: ETAG },
      503: UNAVAILABLE,
      403: refusal('forbidden'),
      404: NO_PROJECT,
    },
  },
  'runtime GET /api/svc/kbd/:project/stream': {
    id: 'boardMirrorStream',
    access: { scopes: ['kbd:read'] },
    answers: {
      200: FOLLOWED,
      403: refusal('forbidden'),
      404: NO_PROJECT,
      429: refusal('rate_limited'),
      503: STREAMS_FULL,
    },
  },
}
