/** The contract of NATS for a client of one node. test/e2e/cluster tests several nodes. */
import { type Caller, type Contract, defineContract } from '../../../core/testing/contract.ts'

const topics = { 'realtime.topics': ['todos'] }
const as: Caller = { user: 'ann', tenant: 'nats', scopes: ['live:publish'] }
const change = { identifier: 't1', operation: 'insert', data: null }
const publish = { method: 'POST', path: '/api/live/todos', as, body: change }

/** The contract of feature `cluster.nats`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'GET /readyz has a row for NATS and one for appends to runs, and is ready while both work',
      send: { path: '/readyz' },
      expect: {
        status: 200,
        body: {
          checks: { nats: { status: 'ok', required: false }, run_appends: { status: 'ok', required: false } },
        },
      },
    },
    {
      name: 'an event comes back through NATS to the node that published it',
      given: topics,
      steps: async (target) => {
        const stream = await target.open({ path: '/api/live', as })
        try {
          await target.request(publish)
          const wanted = `data: ${JSON.stringify({ topic: 'todos', ...change })}\n`
          for (let text = ''; !text.includes(wanted); ) text += (await stream.next()) ?? fail('the stream ended')
        } finally {
          stream.close()
        }
      },
    },
    {
      name: 'with NATS away from the start the node is alive and not ready, publishing and runs are 503 with Retry-After',
      given: { ...topics, 'cluster.nats_url': 'nats://127.0.0.1:9' },
      steps: async (target) => {
        const [alive, ready] = [await target.request({ path: '/health' }), await target.request({ path: '/readyz' })]
        const { status, headers } = await target.request(publish)
        const made = await target.request({ method: 'POST', path: '/api/svc/runs', as, body: {} })
        const runs = [made.status, made.headers['retry-after']]
        const seen = [alive.status, ready.status, status, headers['retry-after'], ...runs].join()
        if (seen !== '200,503,503,1,503,1') fail(`it answered ${seen}`)
      },
    },
  ],
  absent: [
    {
      name: 'the address of NATS is refused with the names of the profiles that take it',
      refuses: { 'cluster.nats_url': 'nats://127.0.0.1:9' },
    },
  ],
})

function fail(message: string): never {
  throw new Error(message)
}
