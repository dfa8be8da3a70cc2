import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type ApiResult, createClient, type Routes, type Schemas } from '../../../plugins/client/index.ts'

interface Sent {
  readonly url: string
  readonly init: RequestInit & { readonly headers: Readonly<Record<string, string>> }
}

/** A client that records its requests and gets the given answers in order. */
function scripted(...answers: readonly Response[]) {
  const sent: Sent[] = []
  const queue = [...answers]
  const { api, run } = createClient({
    baseUrl: 'http://svc.test/',
    token: () => `t${sent.length + 1}`,
    headers: { 'x-tab': 'one' },
    fetch: (async (url: string, init: Sent['init']) => {
      sent.push({ url, init })
      const answer = queue.shift()
      if (answer === undefined) throw new TypeError('fetch failed')
      return answer
    }) as unknown as typeof fetch,
  })
  return { api, run, sent }
}

const json = (status: number, value: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json', ...headers } })

test('a call sends the path, body and headers of its route with the current token', async () => {
  const { api, sent } = scripted(json(200, { runs: [] }), json(202, { status: 'accepted' }))
  const runs = await api.GET('/api/svc/runs')
  assert.equal(runs.ok && [runs.status, runs.data], [200, { runs: [] }])
  await api.POST('/api/live/{topic}', {
    path: { topic: 'a/b ü?' },
    body: { identifier: 'x', operation: 'insert', data: 1 },
    headers: { 'x-more': '1' },
  })
  assert.equal(
    sent.map(({ url, init }) => [url, init.method, init.headers, init.body]),
    [
      [
        'http://svc.test/api/svc/runs',
        'GET',
        { accept: 'application/json', 'x-tab': 'one', authorization: 'Bearer t1' },
        undefined,
      ],
      [
        'http://svc.test/api/live/a%2Fb%20%C3%BC%3F',
        'POST',
        {
          accept: 'application/json',
          'content-type': 'application/json',
          'x-tab': 'one',
          authorization: 'Bearer t2',
          'x-more': '1',
        },
        '{"identifier":"x","operation":"insert","data":1}',
      ],
    ],
  )
})

test('a query is encoded', async () => {
  const { api, sent } = scripted(json(200, { results: [], frontier: null }))
  await api.GET('/api/v1/search', { query: { q: 'a b&c', limit: '5' } })
  assert.is(sent[0]!.url, 'http://svc.test/api/v1/search?q=a+b%26c&limit=5')
})

test('a path parameter that would change the path is refused, also for streams', async () => {
  const { api, run, sent } = scripted()
  for (const run_id of ['', '.', '..', undefined as never]) {
    const error = await api.GET('/api/svc/runs/{run_id}', { path: { run_id } }).catch((thrown: unknown) => thrown)
    assert.instance(error, TypeError)
    assert.throws(
      () => run(run_id, { onEvent: () => {} }),
      (thrown: unknown) => thrown instanceof TypeError,
    )
  }
  assert.is(sent.length, 0)
})

test('a refusal has its code, its message, the time to wait and the details', async () => {
  const { api } = scripted(
    json(409, { error: { code: 'request_id_conflict', message: 'Taken.', pushId: 'p' } }),
    json(429, { error: { code: 'rate_limited', message: 'Slower.' } }, { 'retry-after': '7' }),
  )
  const conflict = await api.POST('/api/svc/runs', {})
  assert.equal(!conflict.ok && [conflict.status, conflict.error], [
    409,
    { code: 'request_id_conflict', message: 'Taken.', retryAfterMs: 0, details: { pushId: 'p' } },
  ])
  const slow = await api.POST('/api/svc/runs')
  assert.is(!slow.ok && slow.error.retryAfterMs, 7_000)
})

test('an answer that is not from the service gets its own error code', async () => {
  const page = '<h1>Log in to this network</h1>'
  const wrong = [
    new Response(page, { status: 200 }),
    new Response(page, { status: 502 }),
    new Response(null, { status: 500 }),
    json(500, null),
    json(500, { error: 'no envelope' }),
    json(500, { error: { code: 7 } }),
  ]
  const { api } = scripted(...wrong)
  for (const { status } of wrong) {
    const result = await api.GET('/api/svc/runs')
    assert.equal(!result.ok && [result.status, result.error.code], [status, 'unreadable_answer'])
  }
  const lost = await api.GET('/api/svc/runs').catch((error: unknown) => error)
  assert.instance(lost, TypeError, 'no answer at all')
})

/** Only the compiler reads this function: each of these lines must be an error. */
export async function wrong(): Promise<void> {
  const { api } = scripted()
  // @ts-expect-error There is no such path.
  await api.GET('/api/svc/run')
  // @ts-expect-error The path has no such method.
  await api.DELETE('/api/svc/runs')
  // @ts-expect-error A stream is not a JSON route.
  await api.GET('/api/live')
  // @ts-expect-error The path parameter is missing.
  await api.GET('/api/svc/runs/{run_id}')
  // @ts-expect-error The path parameter has another name.
  await api.GET('/api/svc/runs/{run_id}', { path: { id: 'r' } })
  // @ts-expect-error The body is missing.
  await api.POST('/api/live/{topic}', { path: { topic: 't' } })
  // @ts-expect-error There is no such operation.
  await api.POST('/api/live/{topic}', { path: { topic: 't' }, body: { identifier: 'x', operation: 'upsert', data: 1 } })
  // @ts-expect-error The body has no such member.
  await api.POST('/api/svc/runs', { body: { run: 'r' } })
  const result: ApiResult<Routes['GET /api/svc/runs']> = await api.GET('/api/svc/runs')
  // @ts-expect-error `ok` must be checked before `data` is read.
  result.data
  if (!result.ok) return
  const runs: readonly Schemas['Run'][] = result.data.runs
  // @ts-expect-error A run has no such member.
  runs[0]!.id
}

test.run()
