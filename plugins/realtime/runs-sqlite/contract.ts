/** The contract of durable runs. test/e2e/power-cut.test.ts kills the service. */
import { type Contract, defineContract, printsAtLast, same } from '../../../core/testing/contract.ts'
import { caller, readEvents } from '../contract-parts.ts'
import { listCases } from '../runs/contract-lists.ts'
import { othersCases } from '../runs/contract-others.ts'
import { threadCases } from '../runs/contract-threads.ts'

const bea = caller('durable-runs')
const RUN_STORE = { 'realtime.run_store': 'sqlite' }

/** The contract of feature `realtime.runs-sqlite`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'realtime.run_store sqlite: a run is created, appended to, read and listed as in memory',
      given: RUN_STORE,
      steps: async (target) => {
        const run_id = `durable-${crypto.randomUUID()}`
        const path = `/api/svc/runs/${run_id}`
        const made = await target.request({ method: 'POST', path: '/api/svc/runs', as: bea, body: { run_id } })
        same('status of the creation', made.status, 201)
        const again = await target.request({ method: 'POST', path: '/api/svc/runs', as: bea, body: { run_id } })
        same('status of a second creation', again.status, 409)
        const events = [
          { type: 'RUN_STARTED', threadId: 't', runId: run_id },
          { type: 'RUN_FINISHED', threadId: 't', runId: run_id },
        ]
        const appended = await target.request({ method: 'POST', path: `${path}/events`, as: bea, body: events })
        same('status of the append', appended.status, 200)
        const stream = await target.open({ path: `${path}/stream`, as: bea })
        const { events: read } = await readEvents(stream, 2)
        stream.close()
        const types = read.map(({ data }) => data['type'])
        same('events', types, ['RUN_STARTED', 'RUN_FINISHED'])
        const one = (await target.request({ path, as: bea })).json() as Record<string, unknown>
        same('record', [one['status'], one['first_seq'], one['last_seq']], ['finished', 1, 2])
      },
    },
    ...listCases('listed-durable-runs', RUN_STORE),
    ...threadCases('durable-threads', RUN_STORE),
    ...othersCases('durable-runs-of-others', RUN_STORE),
    {
      name: 'svc store info counts runs',
      needs: ['sync.api'],
      dialogue: printsAtLast(
        [
          ['device', 'list'],
          ['store', 'info'],
        ],
        /^runs\t0$/m,
      ),
    },
  ],
  absent: [
    {
      name: 'realtime.run_store is refused with the names of the profiles that have it',
      refuses: RUN_STORE,
    },
  ],
})
