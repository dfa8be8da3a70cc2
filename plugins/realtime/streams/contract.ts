/** The contract of all event streams, tested on the entity-change streams. */
import { type Contract, defineContract, refusesSetting, same } from '../../../core/testing/contract.ts'
import { caller, shortTimes } from '../contract-parts.ts'

const path = '/api/live'
const needs = ['realtime.live']

/** The contract of feature `realtime.streams`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'a stream begins with the reconnection time of the settings',
      needs,
      given: shortTimes,
      steps: async (target) => {
        const answer = await target.open({ path, as: caller('streams-retry') })
        const first = await answer.next()
        answer.close()
        same('the first line', first?.split('\n')[0], 'retry: 250')
      },
    },
    {
      name: 'one stream more than the process may have is 503 with Retry-After; a place that is left is free again',
      oneNode: 'each node counts its own streams',
      needs,
      given: { 'realtime.max_streams': 1 },
      steps: async (target) => {
        const first = await target.open({ path, as: caller('streams-first') })
        same('status of the first', first.status, 200)
        const refused = await target.request({ path, as: caller('streams-second') })
        same('status of the second', refused.status, 503)
        same('code', (refused.json() as { error: { code: string } }).error.code, 'overloaded')
        same('retry-after', refused.headers['retry-after'], '5')
        first.close()
        for (const untilMs = Date.now() + PATIENCE_MS; ; ) {
          const next = await target.open({ path, as: caller('streams-second') })
          next.close()
          if (next.status === 200) return
          if (Date.now() > untilMs) throw new Error('the place of a stream that was left is still taken')
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      },
    },
    {
      name: 'a stream that stays open is beaten, and ends at its age',
      needs,
      given: shortTimes,
      steps: async (target) => {
        const answer = await target.open({ path, as: caller('streams-age') })
        let text = ''
        for (let piece = await answer.next(); piece !== undefined; piece = await answer.next()) text += piece
        same('heartbeats', /^: ?hb$/m.test(text), true)
      },
    },
  ],
  absent: [refusesSetting('realtime.heartbeat_ms', 50)],
})

/** Time within which the server sees the end of a connection and releases its place, in milliseconds. */
const PATIENCE_MS = 2_000
