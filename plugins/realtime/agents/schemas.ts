/** The shape of agents, for the documentation. */
import { closed, type JsonSchema } from '../../../core/declare/json-schema.ts'

/** An agent, as the list shows it. */
export const agentSchema: JsonSchema = {
  ...closed('Agent', {
    name: { type: 'string' },
    summary: { type: ['string', 'null'] },
    lastFailure: {
      ...closed('AgentFailure', { code: { type: 'string' }, atMs: { type: 'integer' } }),
      type: ['object', 'null'],
      description: 'The last call that failed since the start of this node, for callers with `svc:runs:read`.',
    },
  }),
  required: ['name', 'summary'],
}
