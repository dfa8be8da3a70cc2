import { documented } from '../../../core/documented.ts'
import { defineErrors, type ErrorCatalogue } from '../../../core/errors.ts'

/** The error code of calls of agents, besides those of every route. */
export const agentFail: ErrorCatalogue<'agent_not_found'> = defineErrors({
  agent_not_found: {
    status: 404,
    message: 'There is no agent of this name.',
    hint: documented('GET /api/svc/agents lists those that this caller may call.'),
  },
})
