/** The routes of agents: their list, and a call of one. */
import { described } from '../../../core/declare/described.ts'
import { closed } from '../../../core/declare/json-schema.ts'
import { eventStream, refusal } from '../../../core/declare/operation.ts'
import type { RouteMaker, RouteValue } from '../../../core/declare/route.ts'
import { json, type Reply } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import { largeJson } from '../json-size.ts'
import { limited } from '../operation-parts.ts'
import { runSchema } from '../runs/schemas.ts'
import { agentSchema } from './schemas.ts'

/** What the handlers use. */
export interface AgentsState {
  /** The agents that a caller may call; to a caller who may read the runs of others, with the last failure of each. */
  ofCaller(request: SvcRequest): readonly object[]
  /**
   * Calls an agent, or joins the run that the same request has made.
   * @throws SvcError `agent_not_found`, `forbidden`, `malformed_request`, `run_exists`, `rate_limited`, `overloaded`
   */
  start(request: SvcRequest): Promise<Reply>
}

type AgentRoute = (route: RouteMaker<AgentsState>) => RouteValue<AgentsState>

const listAgents: AgentRoute = (route) =>
  route('GET /api/svc/agents', {
    about: described({
      id: 'listAgents',
      summary: 'The agents that the caller may call.',
      answers: {
        200: {
          description: 'The agents.',
          schema: closed('Agents', {
            agents: {
              type: 'array',
              items: agentSchema,
            },
          }),
        },
      },
    }),
    handler: ({ request }, { ofCaller }) => json(200, { agents: ofCaller(request) }),
  })

const callAgent: AgentRoute = (route) =>
  route('POST /api/svc/agents/:agent', {
    about: described({
      id: 'callAgent',
      access: { anonymous: false },
      summary: 'Calls an agent, and streams the run that it makes; the run goes on if the caller goes away.',
      request: { title: 'RunAgentInput', type: 'object', description: 'An AG-UI 1.0 RunAgentInput.' },
      parameters: [
        {
          name: 'Svc-On-Disconnect',
          in: 'header',
          description: 'With `cancel` the run is cancelled a second after its last reader has gone away.',
          schema: { type: 'string', enum: ['cancel'] },
        },
      ],
      answers: {
        200: {
          ...eventStream('The events of the run from its first; a clean end is the end of the run.'),
          headers: {
            Location: 'Path of the run.',
            'Svc-Run-Joined': '`true` if the same request had made the run before.',
          },
        },
        202: {
          description: 'The run, for a caller that prefers JSON.',
          schema: runSchema,
          headers: { Location: 'Path of the run.' },
        },
        400: refusal('malformed_request'),
        403: refusal('forbidden'),
        404: refusal('agent_not_found'),
        409: refusal('run_exists'),
        ...limited,
      },
    }),
    body: { type: 'application/json', json: largeJson, limit: 'realtime.agent_max_body_bytes' },
    exposes: ['svc-run-joined'],
    handler: ({ request }, { start }) => start(request),
  })

/** The routes of feature `realtime.agents`. */
export const agentRoutes = (route: RouteMaker<AgentsState>): readonly RouteValue<AgentsState>[] => [
  listAgents(route),
  callAgent(route),
]
