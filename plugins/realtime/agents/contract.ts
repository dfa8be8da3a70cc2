/** The contract of agents behind runs. */
import { type Case, type Contract, defineContract, same, type Target } from '../../../core/testing/contract.ts'
import { caller, checkStreamHeaders, readEvents } from '../contract-parts.ts'

const ann = caller('agents')
/** An agent at an address where nothing listens. */
const settings = {
  'realtime.agents': {
    away: { url: 'http://127.0.0.1:9/', summary: 'An example' },
    locked: { url: 'http://127.0.0.1:9/', scope: 'agents:locked' },
  },
}
const inputOf = (runId: string) => ({
  ...{ runId, threadId: 't', tools: [], context: [], forwardedProps: {}, state: { n: 1 } },
  messages: [{ id: 'u', role: 'user', content: 'hello' }],
})

const call = (target: Target, runId: string, headers: Readonly<Record<string, string>> = {}) =>
  target.request({ method: 'POST', path: '/api/svc/agents/away', as: ann, headers, body: inputOf(runId) })

/** The contract of feature `realtime.agents`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'GET /api/svc/agents lists names and summaries, without those that the caller may not call',
      given: settings,
      send: { path: '/api/svc/agents', as: ann },
      expect: { status: 200, body: { agents: [{ name: 'away', summary: 'An example' }] } },
    },
    {
      name: 'a caller with svc:runs:read sees the last failure of each agent, where delegation is on',
      needs: ['auth.guard'],
      oneNode: 'each node shows how its own calls of agents failed',
      given: { ...settings, 'security.delegation': true },
      steps: async (target) => {
        const failures = async (scopes: readonly string[]): Promise<unknown> => {
          const answer = await target.request({ path: '/api/svc/agents', as: { ...ann, scopes } })
          const [agent] = (answer.json() as { agents: { lastFailure?: { code: string } | null }[] }).agents
          return agent?.lastFailure === undefined ? 'absent' : (agent.lastFailure?.code ?? null)
        }
        const answer = await target.open({
          ...{ method: 'POST', path: '/api/svc/agents/away', as: ann, body: inputOf('failing') },
          headers: { accept: 'text/event-stream' },
        })
        await readEvents(answer, Infinity)
        same('with the scope', await failures(['svc:runs:read']), 'svc.agent.unreachable')
        same('without', await failures([]), 'absent')
      },
    },
    {
      name: 'a call streams its run to its end, and an agent that cannot be reached ends it with a code',
      given: settings,
      steps: async (target) => {
        const answer = await target.open({
          ...{ method: 'POST', path: '/api/svc/agents/away', as: ann, body: inputOf('streamed') },
          headers: { accept: 'text/event-stream' },
        })
        same('status', answer.status, 200)
        checkStreamHeaders(answer)
        same('location', answer.headers['location'], '/api/svc/runs/streamed')
        const { events } = await readEvents(answer, Infinity)
        same(
          'types',
          events.map(({ data }) => data['type']),
          ['RUN_STARTED', 'RUN_ERROR'],
        )
        same('code', events[1]?.data['code'], 'svc.agent.unreachable')
      },
    },
    {
      name: 'the same request again joins its run, another one with its id is refused, and JSON gives the record',
      given: settings,
      steps: async (target) => {
        const json = { accept: 'application/json' }
        const first = await call(target, 'again', json)
        same('first', [first.status, (first.json() as { run_id: string }).run_id], [202, 'again'])
        const { agent } = first.json() as { agent: string }
        same('agent of the record', agent, 'away')
        const second = await call(target, 'again', json)
        same('second', [second.status, second.headers['svc-run-joined']], [202, 'true'])
        const other = await target.request({
          ...{ method: 'POST', path: '/api/svc/agents/away', as: ann },
          body: { ...inputOf('again'), state: { n: 2 } },
        })
        same('another', [other.status, (other.json() as { error: { code: string } }).error.code], [409, 'run_exists'])
      },
    },
    {
      name: 'an unknown agent is 404, and one whose scope the caller lacks 403',
      given: settings,
      steps: async (target) => {
        for (const [name, status, code] of [
          ['nobody', 404, 'agent_not_found'],
          ['constructor', 404, 'agent_not_found'],
          ['locked', 403, 'forbidden'],
        ]) {
          const answer = await target.request({
            ...{ method: 'POST', path: `/api/svc/agents/${name}`, as: ann, body: inputOf('none') },
          })
          same(`${name}`, [answer.status, (answer.json() as { error: { code: string } }).error.code], [status, code])
        }
      },
    },
    {
      name: 'what is no RunAgentInput is 400 and makes no run',
      given: settings,
      send: { method: 'POST', path: '/api/svc/agents/away', as: ann, body: { runId: 'bad', threadId: 't' } },
      expect: { status: 400, body: { error: { code: 'malformed_request' } } },
    },
    {
      name: 'an agent needs a credential',
      given: settings,
      send: { path: '/api/svc/agents' },
      expect: { status: 401, body: { error: { code: 'credential_missing' } } },
    },
  ],
  absent: ['/api/svc/agents', '/api/svc/agents/away'].map(
    (path): Case => ({
      name: `${path} is not there`,
      send: { path, as: ann },
      expect: { status: 404, body: { error: { code: 'not_found' } } },
    }),
  ),
})
