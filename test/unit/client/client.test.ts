import { mock } from 'node:test'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createClient, type LiveEvent, type LiveState } from '../../../plugins/client/index.ts'
import { settle } from '../../support/held-clock.ts'
import { startRig } from '../realtime/rig.ts'

/** One connection of the client, which the test controls. */
interface Call {
  readonly url: string
  readonly headers: Record<string, string>
  readonly signal: AbortSignal
  answer(status: number, headers?: Record<string, string>, text?: string): void
  open(): void
  send(text: string): void
  end(): void
  fail(): void
}

function scripted(): { fetch: typeof fetch; calls: Call[] } {
  const calls: Call[] = []
  const request = (url: unknown, init: RequestInit = {}): Promise<Response> =>
    new Promise((resolve, reject) => {
      let sink: ReadableStreamDefaultController<Uint8Array>
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void (sink = controller) })
      const signal = init.signal as AbortSignal
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error)
        try {
          sink.error(signal.reason)
        } catch {
          // The stream had ended before.
        }
      })
      calls.push({
        url: String(url),
        headers: init.headers as Record<string, string>,
        signal,
        answer: (status, headers = {}, text) => resolve(new Response(text ?? null, { status, headers })),
        open: () => resolve(new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })),
        send: (text) => sink.enqueue(new TextEncoder().encode(text)),
        end: () => sink.close(),
        fail: () => reject(new TypeError('fetch failed')),
      })
    })
  return { fetch: request as typeof globalThis.fetch, calls }
}

const event = (topic: string, identifier: string): string =>
  `data: ${JSON.stringify({ topic, identifier, operation: 'update', data: 1 })}\n\n`

async function held(work: (tick: (ms: number) => Promise<void>) => Promise<void>): Promise<void> {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  try {
    await work(async (ms) => {
      await settle()
      mock.timers.tick(ms)
      await settle()
    })
  } finally {
    mock.timers.reset()
  }
}

test('the client reconnects after 1, 2, 4, 8, 16, 30 and 30 s, and starts over after a successful open', () =>
  held(async (tick) => {
    const { fetch, calls } = scripted()
    const client = createClient({ baseUrl: 'http://svc.test/', fetch, share: false })
    const stop = client.live.on('*', () => {})
    await tick(0)
    assert.is(calls[0]?.url, 'http://svc.test/api/live')
    for (const [index, seconds] of [1, 2, 4, 8, 16, 30, 30, 30].entries()) {
      calls[index]!.fail()
      await tick(seconds * 1000 - 1)
      assert.is(calls.length, index + 1, `not before ${seconds} s`)
      await tick(1)
      assert.is(calls.length, index + 2, `after ${seconds} s`)
    }
    calls[8]!.open()
    await tick(0)
    assert.is(client.live.state, 'open')
    calls[8]!.end()
    await tick(999)
    assert.is(calls.length, 9)
    await tick(1)
    assert.is(calls.length, 10)
    stop()
  }))

test('removing the last listener closes the connection or cancels the next attempt', () =>
  held(async (tick) => {
    const { fetch, calls } = scripted()
    const client = createClient({ fetch, share: false })
    const states: LiveState[] = []
    client.live.onState((state) => states.push(state))
    const [one, two] = [client.live.on('a', () => {}), client.live.on('b', () => {})]
    await tick(0)
    calls[0]!.open()
    await tick(0)
    one()
    one()
    assert.not(calls[0]!.signal.aborted)
    two()
    assert.ok(calls[0]!.signal.aborted)
    assert.equal(states, ['connecting', 'open', 'idle'])
    const three = client.live.on('a', () => {})
    await tick(0)
    calls[1]!.fail()
    await tick(0)
    assert.is(client.live.state, 'waiting')
    three()
    await tick(100_000)
    assert.is(calls.length, 2)
  }))

test('events go to the listeners of their topic, also if another listener throws', () =>
  held(async (tick) => {
    const { fetch, calls } = scripted()
    const client = createClient({ fetch, share: false })
    const seen: string[] = []
    const error = console.error
    console.error = () => {}
    const stops = [
      client.live.on('a', () => {
        throw new Error('bad listener')
      }),
      client.live.on('a', (one: LiveEvent) => seen.push(`a:${one.identifier}`)),
      client.live.on('*', (one: LiveEvent) => seen.push(`*:${one.topic}`)),
    ]
    await tick(0)
    calls[0]!.open()
    await tick(0)
    calls[0]!.send(`retry: 1000\n\n${event('a', '1')}data: not json\n\n: hb\n\n`)
    const late = event('b', '2')
    calls[0]!.send(late.slice(0, 20))
    calls[0]!.send(late.slice(20))
    await tick(0)
    console.error = error
    assert.equal(seen, ['a:1', '*:a', '*:b'])
    for (const stop of stops) stop()
  }))

test('a state listener gets the reason why a stream waits or has stopped', () =>
  held(async (tick) => {
    const json = { 'content-type': 'application/json; charset=utf-8' }
    const envelope = (code: string): string => JSON.stringify({ error: { code, message: 'x' } })
    const { fetch, calls } = scripted()
    const client = createClient({ fetch, share: false, silenceMs: 5_000, schedule: { firstMs: 10, maxMs: 10 } })
    const states: unknown[] = []
    client.live.onState((state, reason) => states.push(reason === undefined ? state : [state, reason]))
    const stop = client.live.on('a', () => {})
    await tick(0)
    calls[0]!.fail()
    await tick(10)
    calls[1]!.answer(503, json, envelope('overloaded'))
    await tick(10)
    calls[2]!.answer(502, { 'content-type': 'text/html' }, '<h1>no</h1>')
    await tick(10)
    calls[3]!.answer(500, json, '{"error":')
    await tick(10)
    calls[4]!.open()
    await tick(0)
    calls[4]!.end()
    await tick(10)
    await tick(5_000)
    await tick(10)
    calls[6]!.answer(401, json, envelope('token_expired'))
    await tick(0)
    assert.equal(
      states.filter((one) => one !== 'connecting'),
      [
        ['waiting', { text: 'fetch failed' }],
        ['waiting', { text: '503 overloaded', status: 503, code: 'overloaded' }],
        ['waiting', { text: '502', status: 502 }],
        ['waiting', { text: '500', status: 500 }],
        'open',
        ['waiting', { text: 'the connection ended' }],
        ['waiting', { text: 'nothing came for 5000 ms' }],
        ['stopped', { text: '401 token_expired', status: 401, code: 'token_expired' }],
      ],
    )
    stop()

    /** The end state of a run and its reason, after the given action. */
    const endOf = async (act: (call: Call, close: () => void) => void): Promise<readonly unknown[]> => {
      const { fetch, calls } = scripted()
      const client = createClient({ fetch, share: false, schedule: { maxAttempts: 0 } })
      const heard: unknown[] = []
      const run = client.run('r', {
        onEvent: () => {},
        onState: (state, reason) => void heard.push(state, reason),
      })
      await tick(0)
      act(calls[0]!, () => run.close())
      await tick(0)
      return [await run.done, heard.at(-1)]
    }
    assert.equal(await endOf((call) => call.answer(404, json, envelope('not_found'))), [
      'refused',
      { text: '404 not_found', status: 404, code: 'not_found' },
    ])
    assert.equal(await endOf((call) => call.answer(204)), ['ended', { text: 'at its end', status: 204 }])
    assert.equal(await endOf((_call, close) => close()), ['closed', { text: 'closed by the caller' }])
    assert.equal(await endOf((call) => call.fail()), ['gave-up', { text: 'gave up: fetch failed' }])
    const finished = `data: ${JSON.stringify({ type: 'RUN_FINISHED' })}\n\n`
    assert.equal(
      await endOf((call) => {
        call.open()
        call.send(finished)
      }),
      ['ended', { text: 'at its end' }],
    )
  }))

test('a stream stops after 401, 403 and 204, waits for Retry-After, and reconnects after silence', () =>
  held(async (tick) => {
    for (const status of [401, 403, 204]) {
      const { fetch, calls } = scripted()
      const client = createClient({ fetch, share: false })
      const stop = client.live.on('a', () => {})
      await tick(0)
      calls[0]!.answer(status)
      await tick(100_000)
      assert.equal([calls.length, client.live.state], [1, 'stopped'])
      stop()
    }
    const { fetch, calls } = scripted()
    const client = createClient({ fetch, share: false, token: () => `t${calls.length}` })
    const stop = client.live.on('a', () => {})
    await tick(0)
    calls[0]!.answer(503, { 'retry-after': '7' })
    await tick(6999)
    assert.is(calls.length, 1)
    await tick(1)
    assert.equal(
      calls.map(({ headers }) => headers['authorization']),
      ['Bearer t0', 'Bearer t1'],
    )
    calls[1]!.open()
    await tick(0)
    calls[1]!.send(': hb\n\n')
    await tick(44_999)
    assert.not(calls[1]!.signal.aborted)
    await tick(1)
    assert.ok(calls[1]!.signal.aborted)
    await tick(1000)
    assert.is(calls.length, 3)
    stop()
  }))

test('a missing answer and a token that never resolves count as silence', () =>
  held(async (tick) => {
    const { fetch, calls } = scripted()
    let tokenCalls = 0
    const token = (): Promise<string> => (++tokenCalls === 2 ? new Promise<string>(() => {}) : Promise.resolve('t'))
    const stop = createClient({ fetch, share: false, token }).live.on('a', () => {})
    await tick(44_999)
    assert.not(calls[0]!.signal.aborted)
    await tick(1)
    assert.ok(calls[0]!.signal.aborted)
    await tick(1_000)
    assert.equal([tokenCalls, calls.length], [2, 1])
    await tick(45_000)
    await tick(2_000)
    assert.equal([tokenCalls, calls.length], [3, 2])
    stop()
  }))

test('a wait longer than the longest timer does not become a busy loop', () =>
  held(async (tick) => {
    for (const [status, headers, options] of [
      [503, { 'retry-after': '99999999999' }, {}],
      [503, { 'retry-after': 'Fri, 01 Jan 2999 00:00:00 GMT' }, {}],
      [503, {}, { schedule: { firstMs: 2 ** 40, maxMs: 2 ** 41 } }],
      [200, {}, { silenceMs: Number.POSITIVE_INFINITY }],
    ] as const) {
      const { fetch, calls } = scripted()
      const timers: number[] = []
      const real = globalThis.setTimeout
      globalThis.setTimeout = ((run: () => void, ms: number) => {
        timers.push(ms)
        return real(run, ms)
      }) as typeof setTimeout
      try {
        const stop = createClient({ fetch, share: false, ...options }).live.on('a', () => {})
        await tick(0)
        if (status === 200) calls[0]!.open()
        else calls[0]!.answer(status, headers)
        await tick(0)
        assert.is(Math.max(...timers), 2 ** 31 - 1)
        await tick(100_000_000)
        assert.is(calls.length, 1)
        stop()
      } finally {
        globalThis.setTimeout = real
      }
    }
  }))

test('the client stops after the maximum of attempts of its schedule', () =>
  held(async (tick) => {
    const { fetch, calls } = scripted()
    const client = createClient({ fetch, share: false, schedule: { maxAttempts: 2, jitter: 0.5 } })
    client.live.on('a', () => {})
    for (let i = 0; i < 3; i++) {
      await tick(0)
      calls[i]!.fail()
      await tick(4000)
    }
    await tick(100_000)
    assert.equal([calls.length, client.live.state], [3, 'stopped'])
  }))

test('a run is resumed after its last event, and ends with its final event', () =>
  held(async (tick) => {
    const { fetch, calls } = scripted()
    const seen: unknown[] = []
    const gaps: unknown[] = []
    const run = createClient({ fetch }).run('a/b', {
      onEvent: ({ type }, id) => seen.push([type, id]),
      onGap: (gap) => gaps.push(gap),
      lastEventId: 'e-3',
    })
    await tick(0)
    assert.equal([calls[0]!.url, calls[0]!.headers['last-event-id']], ['/api/svc/runs/a%2Fb/stream', 'e-3'])
    calls[0]!.open()
    calls[0]!.send(
      'data: {"type":"CUSTOM","name":"svc.stream.gap","value":{"requested":"e-3","resumedAfter":"earliest"}}\n\n',
    )
    calls[0]!.send('id: e-4\ndata: {"type":"STEP_STARTED"}\n\n')
    await tick(0)
    calls[0]!.end()
    await tick(1000)
    assert.is(calls[1]!.headers['last-event-id'], 'e-4')
    calls[1]!.open()
    calls[1]!.send('id: e-5\ndata: {"type":"RUN_FINISHED"}\n\n')
    await tick(0)
    assert.is(await run.done, 'ended')
    assert.is(run.lastEventId, 'e-5')
    assert.equal(gaps, [{ requested: 'e-3', resumedAfter: 'earliest' }])
    assert.equal(seen, [
      ['CUSTOM', undefined],
      ['STEP_STARTED', 'e-4'],
      ['RUN_FINISHED', 'e-5'],
    ])
    await tick(100_000)
    assert.is(calls.length, 2)
  }))

test('the bridge falls back to REST at most once per stale time, and not while it is live', () =>
  held(async (tick) => {
    const { fetch, calls } = scripted()
    let reads = 0
    const log: string[] = []
    const bridge = createClient({ fetch }).bridge({
      onReset: (topic, snapshot) => log.push(`reset ${topic} ${snapshot}`),
      onEvent: ({ identifier }) => log.push(`event ${identifier}`),
      onReady: () => log.push('ready'),
      staleMs: 10_000,
      fallback: async () => {
        reads++
      },
    })
    await tick(0)
    const both = Promise.all([bridge.fresh(), bridge.fresh()])
    await tick(0)
    assert.is(reads, 0, 'the first attempt is waited for')
    calls[0]!.fail()
    await tick(0)
    await both
    assert.is(reads, 1, 'two that ask at once share a read')
    await bridge.fresh()
    assert.is(reads, 1)
    await tick(1000)
    calls[1]!.open()
    const ready = bridge.fresh()
    const control = (operation: string, identifier: string, data: unknown): string =>
      `data: ${JSON.stringify({ topic: '$svc', identifier, operation, data })}\n\n`
    await tick(0)
    calls[1]!.send(
      control('reset', 'todos', { snapshot: true }) +
        event('todos', '1') +
        control('ready', 'stream', null) +
        event('todos', '2'),
    )
    await tick(0)
    await ready
    assert.ok(bridge.live)
    assert.equal(log, ['reset todos true', 'event 1', 'ready', 'event 2'])
    calls[1]!.end()
    await tick(0)
    assert.not(bridge.live)
    mock.timers.tick(500)
    await bridge.fresh()
    assert.is(reads, 1, 'not stale yet')
    bridge.close()
  }))

test('the client works with the real service: live, a run, the bridge', async () => {
  const rig = await startRig({ 'realtime.topics': ['todos'] })
  const fetch = ((url: string, init: RequestInit) =>
    rig.fetch(url, { as: 'acme/ann', headers: init.headers as Record<string, string> })) as typeof globalThis.fetch
  const client = createClient({ fetch, share: false })
  const seen: string[] = []
  const open = new Promise<void>((resolve) => void client.live.onState((state) => state === 'open' && resolve()))
  const stop = client.live.on('todos', ({ identifier }) => seen.push(identifier))
  const bridge = client.bridge({ onReset: () => {}, onEvent: ({ identifier }) => seen.push(`bridge ${identifier}`) })
  await Promise.all([open, bridge.fresh()])
  rig
    .capability('Live')
    .publish({ tenant: 'acme' }, { topic: 'todos', identifier: 'x', operation: 'insert', data: null })
  const owner = { user_id: 'ann', tenant_id: 'acme' }
  await rig.runs.create(owner, { run_id: 'r' })
  const types: string[] = []
  const times: unknown[] = []
  const run = client.run('r', { onEvent: ({ type }) => types.push(type), snapshot: true })
  const timed = client.run('r', { onEvent: (_event, _id, atMs) => times.push(atMs), times: true })
  await rig.runs.append(owner, 'r', [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
  ])
  assert.is(await run.done, 'ended')
  assert.equal(types.slice(-1), ['RUN_FINISHED'])
  assert.is(await timed.done, 'ended')
  assert.equal(
    times.map((atMs) => Math.abs(Date.now() - (atMs as number)) < 60_000),
    [true, true],
  )
  for (let turn = 0; turn < 100 && seen.length < 4; turn++) await settle()
  assert.equal(seen.sort(), ['bridge r', 'bridge r', 'bridge x', 'x'])
  stop()
  bridge.close()
  await rig.stop()
})

test.run()
