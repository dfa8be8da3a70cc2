/** Which agents a caller may call, and what it sees of them. */

import { documented } from '../../../core/declare/described.ts'
import { defineErrors, type ErrorCatalogue } from '../../../core/declare/errors.ts'
import type { Identity } from '../../../core/http/identity.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import type { AgentSettings, Agents } from './settings.ts'

/** Why the last call of an agent that failed has ended, since the start of the process. */
export interface AgentFailure {
  readonly code: string
  readonly atMs: number
}

/** An agent with its name. */
export type NamedAgent = readonly [name: string, agent: AgentSettings]

/** The agent that a request calls. @throws SvcError `agent_not_found`, `forbidden` */
export function calledBy({ params, identity }: SvcRequest, agents: Agents): NamedAgent {
  const { agent: name = '' } = params
  const agent = Object.hasOwn(agents, name) ? agents[name] : undefined
  if (agent === undefined) throw agentFail('agent_not_found')
  if (identity.kind === 'anonymous') throw httpFail('forbidden', { message: 'An anonymous caller owns no runs.' })
  if (agent.scope !== null && !identity.scopes.includes(agent.scope))
    throw httpFail('forbidden', { message: 'This agent needs a scope that the caller does not have.' })
  return [name, agent]
}

/** The agents that a caller may call, with their last failures if they are given. */
export function shownTo(
  { kind, scopes }: Identity,
  agents: Agents,
  failures: ReadonlyMap<string, AgentFailure> | undefined,
): readonly object[] {
  return Object.entries(agents)
    .filter(([, { scope }]) => kind !== 'anonymous' && (scope === null || scopes.includes(scope)))
    .map(([name, { summary }]) => ({
      ...{ name, summary },
      ...(failures !== undefined && { lastFailure: failures.get(name) ?? null }),
    }))
}

/** The error code of calls of agents, besides those of every route. */
export const agentFail: ErrorCatalogue<'agent_not_found'> = defineErrors({
  agent_not_found: {
    status: 404,
    message: 'There is no agent of this name.',
    hint: documented('GET /api/svc/agents lists those that this caller may call.'),
  },
})
