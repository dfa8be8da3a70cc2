/**
 * Agents behind runs: a caller starts an agent through this service, which calls it, keeps what it says as a run, and
 * serves any number of readers, also after the caller has gone away. docs/agents-behind-runs.md shows it.
 */
import { described, documented } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { counter, gauge, histogram } from '../../../core/declare/metric.ts'
import { integer } from '../../../core/declare/settings.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import { later } from '../../../core/kernel/later.ts'
import { serverSettings } from '../../../core/kernel/settings/server.ts'
import type {} from '../../auth/capabilities.ts'
import type {} from '../capabilities.ts'
import { ownNames } from '../own-names.ts'
import { runSettings } from '../runs/settings.ts'
import { type AgentFailure, agentFail, calledBy, shownTo } from './access.ts'
import { contract } from './contract.ts'
import { agentRoutes } from './routes.ts'
import { agentsOf, agentsSetting, refusals } from './settings.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'realtime.agents': true
  }
}

/** The share of the grace of a stop for which calls under way are waited for. */
const DRAIN_SHARE = 0.8

/** Feature `realtime.agents`. */
export const feature: FeatureValue<'realtime.agents'> = defineFeature({
  id: 'realtime.agents',
  about: described({
    at: import.meta.url,
    summary: 'Agents behind runs: started by a request, kept, and joined by any number of readers',
    stability: 'experimental',
    since: '0.1.0',
    requires: ['realtime.runs'],
    platform: 'web',
    packages: ['eventsource-parser'],
    contract,
  }),
  needs: { AgentRuns: 'required', Delegation: 'optional', Runs: 'required' },
  errors: agentFail,
  metrics: {
    active: gauge('svc_agent_calls_active', {
      unit: 'calls',
      help: 'Calls of agents that are under way.',
      labels: ['agent'],
    }),
    calls: counter('svc_agent_calls_total', {
      unit: 'calls',
      help: 'Calls of agents that have ended: by the agent, by cancel, or with a code.',
      labels: ['agent', 'end'],
    }),
    first: histogram('svc_agent_first_event_seconds', {
      unit: 'seconds',
      help: 'Time from a call to the first event of the agent.',
      labels: ['agent'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    }),
    unknown: counter('svc_agent_unknown_events_total', {
      unit: 'events',
      help: 'Events of agents that were left out because AG-UI 1.0 does not have their type.',
      labels: ['agent'],
    }),
  },
  settings: {
    'realtime.agents': agentsSetting,
    'realtime.agent_max_body_bytes': integer({
      default: 1_048_576,
      min: 1_024,
      unit: 'bytes',
      summary: documented('Largest input of an agent.'),
    }),
    'realtime.max_agent_calls_per_identity': integer({
      default: 8,
      min: 1,
      summary: documented('Calls of agents under way of one identity.'),
    }),
    'realtime.max_agent_calls_per_tenant': integer({
      default: 64,
      min: 1,
      summary: documented('Calls of agents under way of one tenant.'),
    }),
    'realtime.max_agent_calls': integer({
      default: 1_024,
      min: 1,
      summary: documented('Calls of agents under way in the process.'),
    }),
    'server.shutdown_grace_ms': serverSettings['server.shutdown_grace_ms'],
    'realtime.max_id_bytes': runSettings['realtime.max_id_bytes'],
    'realtime.run_max_bytes': runSettings['realtime.run_max_bytes'],
    'realtime.run_max_events': runSettings['realtime.run_max_events'],
  },
  checkSettings: (settings) => refusals(settings['realtime.agents']),
  async setup({ settings, metrics, clock, log, get, ...ctx }) {
    let agents = agentsOf(settings['realtime.agents'])
    ctx.onReload((reloaded) => void (agents = agentsOf(reloaded['realtime.agents'])))
    const [runs, delegation] = [get('AgentRuns')!, get('Delegation')]
    const failures = new Map<string, AgentFailure>()
    const hasAgents = Object.keys(agents).length > 0
    // Most services have no agent. If a library has several files, the code that calls agents is one of them.
    const starter = hasAgents
      ? new (await later(() => import('./agent-starter.ts'))()).AgentStarter({
          ...{ runs, records: get('Runs'), delegation, metrics, clock, log, failures },
          numbers: ownNames(settings),
        })
      : undefined
    // The rest of the grace is for the ends of the runs to reach the store and the readers.
    ctx.onDrain(() => starter?.drain(DRAIN_SHARE * settings['server.shutdown_grace_ms']))
    ctx.onStop(() => starter?.stop())
    return {
      ofCaller: ({ identity }: SvcRequest) =>
        shownTo(identity, agents, delegation?.has(identity, 'svc:runs:read') === true ? failures : undefined),
      async start(request: SvcRequest) {
        const called = calledBy(request, agents)
        if (starter === undefined) throw agentFail('agent_not_found')
        return starter.start(request, called)
      },
    }
  },
  routes: agentRoutes,
})
