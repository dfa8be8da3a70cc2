/** What the bridge for embedded stores promises. */
import { type Contract, defineContract } from '../../../core/contract.ts'
import { caller, checkStreamHeaders, listenWhile, same } from '../contract-parts.ts'

/** The contract of feature `realtime.bridge`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'every topic is reset, then ready, then changes come',
      given: { 'realtime.topics': ['todos'] },
      steps: async (target) => {
        // How many resets come first depends on the other plugins of the profile.
        const isThere = (events: readonly { readonly data: Readonly<Record<string, unknown>> }[]): boolean =>
          events.at(-1)?.data['topic'] === 'todos'
        const as = caller('bridge', ['live:publish'])
        const { answer, events } = await listenWhile(target, '/api/svc/sync/stream', as, isThere, () =>
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
