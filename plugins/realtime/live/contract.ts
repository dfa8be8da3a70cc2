/** The contract of the entity-change streams. */
import { type Case, type Contract, defineContract, same, type Target } from '../../../core/testing/contract.ts'
import { caller, checkStreamHeaders, listenWhile, publishingSettings, shortTimes } from '../contract-parts.ts'

const change = { identifier: 't1', operation: 'insert', data: { title: 'x\n\ndata: y' } }

function publish(target: Target, topic: string, tenant: string): Promise<unknown> {
  return target.request({
    method: 'POST',
    path: `/api/live/${topic}`,
    as: caller(tenant, ['live:publish']),
    body: change,
  })
}

/** The contract of feature `realtime.live`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'GET /api/live merges all topics of the tenant, begins with retry, and names neither event nor id',
      oneNode: 'events of several publishers interleave',
      given: publishingSettings,
      steps: async (target) => {
        const { answer, text, events } = await listenWhile(target, '/api/live', caller('live-all'), 2, async () => {
          await publish(target, 'todos', 'live-all')
          await publish(target, 'notes', 'live-all')
        })
        checkStreamHeaders(answer)
        same('the first line', text.split('\n')[0], 'retry: 1000')
        same(
          'events',
          events.map(({ data }) => data),
          [
            { topic: 'todos', ...change },
            { topic: 'notes', ...change },
          ],
        )
        if (/^(id|event):/m.test(text) || text.includes('\r')) throw new Error(`unexpected fields in ${text}`)
      },
    },
    {
      name: 'GET /api/live/{topic} carries that topic alone',
      given: publishingSettings,
      steps: async (target) => {
        const { events } = await listenWhile(target, '/api/live/notes', caller('live-one'), 1, async () => {
          await publish(target, 'todos', 'live-one')
          await publish(target, 'notes', 'live-one')
        })
        same(
          'events',
          events.map(({ data }) => data['topic']),
          ['notes'],
        )
      },
    },
    {
      name: 'a tenant sees nothing of another',
      given: publishingSettings,
      steps: async (target) => {
        const { text } = await listenWhile(target, '/api/live', caller('live-a'), 1, async () => {
          for (let i = 0; i < 20; i++) await publish(target, 'todos', 'live-b')
          await publish(target, 'todos', 'live-a')
        })
        same('events', text.split('data: {').length - 1, 1)
      },
    },
    {
      name: 'a heartbeat is a comment',
      given: shortTimes,
      steps: async (target) => {
        const answer = await target.open({ path: '/api/live', as: caller('live-beat') })
        let text = ''
        while (!/^:.*\n\n/m.test(text)) {
          const piece = await answer.next()
          if (piece === undefined) throw new Error(`the stream ended after ${text}`)
          text += piece
        }
        answer.close()
        same('text', text.startsWith('retry: 250\n\n'), true)
      },
    },
    {
      name: 'one stream more than an identity may have is 429 with Retry-After',
      oneNode: 'each node counts its own streams',
      given: { 'realtime.max_streams_per_identity': 1 },
      steps: async (target) => {
        const first = await target.open({ path: '/api/live', as: caller('live-limit') })
        const second = await target.request({ path: '/api/live', as: caller('live-limit') })
        first.close()
        same('status', second.status, 429)
        same('retry-after', second.headers['retry-after'], '5')
      },
    },
    {
      name: 'publishing needs the scope live:publish',
      given: publishingSettings,
      send: { method: 'POST', path: '/api/live/todos', as: caller('live-scope'), body: change },
      expect: { status: 403, body: { error: { code: 'forbidden' } } },
    },
    {
      name: 'publishing to a topic of a plugin is 403, whatever the settings name',
      needs: ['realtime.runs'],
      given: publishingSettings,
      send: { method: 'POST', path: '/api/live/runs', as: caller('live-owned', ['live:publish']), body: change },
      expect: { status: 403, body: { error: { code: 'forbidden' } } },
    },
    {
      name: 'publishing is 202',
      given: publishingSettings,
      send: { method: 'POST', path: '/api/live/todos', as: caller('live-ok', ['live:publish']), body: change },
      expect: { status: 202, body: { status: 'accepted' } },
    },
    ...[
      ['an operation that is none', { ...change, operation: 'upsert' }],
      ['an identifier that is no text', { ...change, identifier: 1 }],
      ['a list', [change]],
      ['a member that nothing knows', { ...change, topic: 'todos' }],
      ['what is no JSON', '{'],
    ].map(
      ([name, body]): Case => ({
        name: `publishing ${name as string} is 400`,
        given: publishingSettings,
        send: {
          ...{ method: 'POST', path: '/api/live/todos', as: caller('live-bad', ['live:publish']) },
          ...{ headers: { 'content-type': 'application/json' }, body },
        },
        expect: { status: 400, body: { error: { code: body === '{' ? 'malformed_json' : 'malformed_request' } } },
      }),
    ),
    {
      name: 'publishing more than realtime.max_event_bytes is 413',
      given: publishingSettings,
      send: {
        method: 'POST',
        path: '/api/live/todos',
        as: caller('live-large', ['live:publish']),
        body: { ...change, data: 'x'.repeat(1_000) },
      },
      expect: { status: 413, body: { error: { code: 'payload_too_large' } } },
    },
    ...['nope', '$svc', 'Todos'].map(
      (topic): Case => ({
        name: `topic ${topic} is not there`,
        given: publishingSettings,
        send: { path: `/api/live/${topic}`, as: caller('live-topic') },
        expect: { status: 404, body: { error: { code: 'not_found' } } },
      }),
    ),
    {
      name: 'without a credential there is no stream',
      send: { path: '/api/live' },
      expect: { status: 401, headers: { 'www-authenticate': /^Bearer realm="svc"/ } },
    },
  ],
  absent: ['/api/live', '/api/live/todos'].map(
    (path): Case => ({
      name: `${path} is not there`,
      send: { path, as: caller('live-absent') },
      expect: { status: 404, body: { error: { code: 'not_found' } } },
    }),
  ),
})
