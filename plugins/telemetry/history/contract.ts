/** The contract of `telemetry.history`. test/e2e/telemetry/history.test.ts restarts and kills a service, and fills its disk. */
import { type Contract, defineContract } from '../../../core/contract.ts'
import type { Day } from '../api.ts'

const path = '/api/v1/history'
/** Why these cases need one node: several nodes share the runtime surface alone. */
const oneNode = 'the socket belongs to one node'

/** The contract of feature `telemetry.history`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'GET /api/v1/history on the socket: the last 1 440 minutes, with the start of the service in them',
      surface: 'local',
      oneNode,
      steps: async (target) => {
        const answer = await target.request({ path })
        if (answer.status !== 200 || answer.headers['cache-control'] !== 'no-store') throw new Error(answer.text)
        const { fromMs, stepMs, checks, ...lists } = answer.json() as Day
        if (stepMs !== 60_000 || fromMs % stepMs !== 0) throw new Error(`${fromMs} ${stepMs}`)
        const all = [...Object.values(lists), ...checks.map(({ values }) => values)]
        for (const values of all) if (values.length !== 1_440) throw new Error(`${values.length} values`)
        if (lists.starts.reduce<number>((sum, starts) => sum + (starts ?? 0), 0) < 1) throw new Error('no start')
      },
    },
    {
      name: 'the runtime surface has no history',
      send: { path, as: { user: 'ada' } },
      expect: { status: 404, body: { error: { code: 'not_found' } } },
    },
  ],
  absent: [
    {
      name: 'GET /api/v1/history is not there',
      send: { path, as: { user: 'ada' } },
      expect: { status: 404, body: { error: { code: 'not_found' } } },
    },
  ],
})
