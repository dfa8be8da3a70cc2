/**
 * Agents behind runs: a caller starts an agent through this service, which calls it, keeps what it says as a run, and serves any
 * number of readers, also after the caller has gone away. docs/agents-behind-runs.md shows it.
 */
import { httpFail } from '../../../core/catalogue.ts'
import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { counter, gauge, histogram } from '../../../core/declare/metric.ts'
import { documented } from '../../../core/documented.ts'
import { json, type Reply } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import type { Identity } from '../../../core/identity.ts'
import { closed } from '../../../core/json-schema.ts'
import { eventStream, refusal } from '../../../core/operation.ts'
import { integer } from '../../../core/settings/kinds.ts'
import { serverSettings } from '../../../core/settings/server.ts'
import type {} from '../../auth/capabilities.ts'
import type { AgentRun, RunOwner } from '../api.ts'
import type {} from '../capabilities.ts'
import { largeJson } from '../large-json.ts'
import { limited } from '../operation-parts.ts'
import { ownNames } from '../own-names.ts'
import { runSchema } from '../runs/schemas.ts'
import { runSettings } from '../runs/settings.ts'
import { AgentCall } from './agent-call.ts'
import { AgentCalls } from './agent-calls.ts'
import { isSame, readInput } from './agent-input.ts'
import { contract } from './contract.ts'
import { agentFail } from './errors.ts'
import { agentSchema } from './schemas.ts'
import { type AgentSettings, type Agents, agentsOf, agentsSetting, refusals } from './settings.ts'

declare module '../../../core/feature.ts' {
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
  setup({ settings, metrics, clock, log, get, ...ctx }) {
    const numbers = ownNames(settings)
    let agents = agentsOf(settings['realtime.agents'])
    ctx.onReload((reloaded) => void (agents = agentsOf(reloaded['realtime.agents'])))
    const [runs, delegation] = [get('AgentRuns')!, get('Delegation')]
    const calls = new AgentCalls(numbers, delegation)
    const failures = new Map<string, AgentFailure>()
    // The rest of the grace is for the ends of the runs to reach the store and the readers.
    ctx.onDrain(() => calls.drain(clock, DRAIN_SHARE * settings['server.shutdown_grace_ms']))
    ctx.onStop(() => calls.stop())

    /** Calls an agent for a run that has begun. */
    function call(
      [name, agent]: readonly [string, AgentSettings],
      run: AgentRun,
      request: SvcRequest,
      body: Uint8Array,
      release: () => void,
    ): void {
      const sinceMs = clock.monotonic()
      metrics.active.move({ agent: name }, 1)
      const running = new AgentCall({
        ...{ ...numbers, agent, run, body, clock, log },
        headers: headersOf(agent, request, run.record.run_id),
        onFirst: () => metrics.first.observe({ agent: name }, (clock.monotonic() - sinceMs) / 1_000),
        onUnknown: (events) => metrics.unknown.add({ agent: name }, events),
      })
      calls.add(running)
      if (agent.onDisconnect === 'cancel' || request.header('svc-on-disconnect') === 'cancel') running.watchReaders()
      void running.done.then((end) => {
        release()
        run.release()
        metrics.active.move({ agent: name }, -1)
        metrics.calls.add({ agent: name, end })
        if (end === 'agent' || end === 'cancelled') return
        failures.set(name, { code: end, atMs: clock.now() })
        log.warn('A call of an agent failed.', { agent: name, code: end })
      })
    }

    return {
      numbers,
      /** The agents that a caller may call; to a caller who may read the runs of others, with the last failure of each. */
      ofCaller: ({ identity }: SvcRequest) =>
        shownTo(identity, agents, delegation?.has(identity, 'svc:runs:read') === true ? failures : undefined),
      /** Calls an agent, or joins the run that the same request has made. */
      async start(request: SvcRequest): Promise<Reply> {
        const [name, agent] = calledBy(request, agents)
        const owner = ownerOf(request)
        const body = await request.body()
        const input = await readInput(name, body, numbers.maxIdBytes)
        const wish = { run_id: input.runId, thread_id: input.threadId, agent: name }
        const isThere = async (): Promise<boolean> => {
          const started = await runs.started(owner, input.runId)
          return started !== undefined && isSame(started, input)
        }
        let joined = await isThere()
        if (!joined) {
          const release = calls.admit(request.identity)
          try {
            call([name, agent], await runs.begin(owner, wish, input.started), request, body, release)
          } catch (error) {
            release()
            // The same request may have been faster.
            joined = await isThere()
            if (!joined) throw error
          }
        }
        const path = `/api/svc/runs/${encodeURIComponent(input.runId)}`
        const headers = { location: path, ...(joined && { 'svc-run-joined': 'true' }) }
        if (prefersJson(request)) return json(202, await get('Runs').get(owner, input.runId), headers)
        const reply = await runs.open(request, owner, input.runId)
        return { ...reply, headers: { ...reply.headers, ...headers } }
      },
    }
  },
  routes: (route) => [
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
    }),
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
    }),
  ],
})

/** The agent that a request calls. @throws SvcError `agent_not_found`, `forbidden` */
function calledBy({ params, identity }: SvcRequest, agents: Agents): readonly [string, AgentSettings] {
  const { agent: name = '' } = params
  const agent = Object.hasOwn(agents, name) ? agents[name] : undefined
  if (agent === undefined) throw agentFail('agent_not_found')
  if (identity.kind === 'anonymous') throw httpFail('forbidden', { message: 'An anonymous caller owns no runs.' })
  if (agent.scope !== null && !identity.scopes.includes(agent.scope))
    throw httpFail('forbidden', { message: 'This agent needs a scope that the caller does not have.' })
  return [name, agent]
}

/** Why the last call of an agent that failed has ended, since the start of the process. */
interface AgentFailure {
  readonly code: string
  readonly atMs: number
}

/** The agents that a caller may call, with their last failures if they are given. */
function shownTo(
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

function ownerOf({ identity }: SvcRequest): RunOwner {
  return { user_id: identity.user, tenant_id: identity.tenant }
}

/** Whether a caller wants the record instead of the stream. A stock client asks for an event stream. */
function prefersJson(request: SvcRequest): boolean {
  const accepted = request.header('accept') ?? ''
  return /application\/json/i.test(accepted) && !/text\/event-stream|\*\/\*/i.test(accepted)
}

/** The headers of a call. Nothing of the caller's own headers is passed on. */
function headersOf(
  agent: AgentSettings,
  { identity, trace }: SvcRequest,
  runId: string,
): Readonly<Record<string, string>> {
  const own = Object.entries(agent.headers).map(([name, value]) => [name, value.reveal()])
  return {
    ...Object.fromEntries(own),
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'accept-encoding': 'identity',
    ...(trace !== undefined && { traceparent: `00-${trace.traceId}-${trace.spanId}-01` }),
    ...(identity.user !== null && { 'svc-user': encoded(identity.user) }),
    ...(identity.tenant !== null && { 'svc-tenant': encoded(identity.tenant) }),
    'svc-run': encoded(runId),
  }
}

/** UTF-8 in percent-encoding, because a header carries Latin-1 alone. Half of a surrogate pair becomes U+FFFD. */
function encoded(text: string): string {
  return encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(text)))
}
