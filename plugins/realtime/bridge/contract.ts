/** The contract of the bridge for embedded stores. */
import { type Contract, defineContract, same } from '../../../core/testing/contract.ts'
import { caller, checkStreamHeaders, listenWhile, publishingSettings, type Read } from '../contract-parts.ts'

/** The contract of feature `realtime.bridge`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'every topic is reset, then ready, then changes come',
      given: publishingSettings,
      steps: async (target) => {
        const as = caller('bridge', ['live:publish'])
        // The number of topics depends on the profile.
        const arrived = (read: readonly Read[]): boolean => read.some(({ data }) => data['topic'] === 'todos')
        const { answer, events } = await listenWhile(target, '/api/svc/sync/stream', as, arrived, () =>
          target.request({
            method: 'POST',
            path: '/api/live/todos',
            as,
            body: { identifier: 'a', operation: 'insert', data: 1 },
          }),
        )
        checkStreamHeaders(answer)
        const seen = events.map(({ data }) => `${data['topic']} ${data['operation']} ${data['identifier']}`)
        same(
          'events',
          seen.includes('$svc reset todos') && seen.indexOf('$svc reset todos') < seen.indexOf('$svc ready stream'),
          true,
        )
        same('the last event', seen.at(-1), 'todos insert a')
      },
    },
    {
      name: 'without a credential there is no stream',
      send: { path: '/api/svc/sync/stream' },
      expect: { status: 401 },
    },
  ],
  absent: [
    {
      name: '/api/svc/sync/stream is not there',
      send: { path: '/api/svc/sync/stream', as: caller('bridge-absent') },
      expect: { status: 404, body: { error: { code: 'not_found' } } },
    },
  ],
})
