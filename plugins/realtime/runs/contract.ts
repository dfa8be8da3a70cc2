/** The contract of runs and their streams. */
import { type Case, type Contract, defineContract, same, type Target } from '../../../core/testing/contract.ts'
import { caller, checkStreamHeaders, readEvents } from '../contract-parts.ts'
import { listCases } from './contract-lists.ts'
import { othersCases } from './contract-others.ts'
import { threadCases } from './contract-threads.ts'

const ann = caller('runs')
const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const opened = { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' }
const said = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'hello' }
const closed = { type: 'TEXT_MESSAGE_END', messageId: 'm' }
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }

/** Opens a run with events, and returns its epoch. */
async function make(target: Target, run_id: string, events: readonly unknown[]): Promise<string> {
  const created = await target.request({ method: 'POST', path: '/api/svc/runs', as: ann, body: { run_id } })
  same('status of the creation', created.status, 201)
  if (events.length > 0) await append(target, run_id, events, 200)
  return (created.json() as { epoch: string }).epoch
}

async function append(target: Target, run_id: string, events: unknown, status: number): Promise<unknown> {
  const answer = await target.request({ method: 'POST', path: `/api/svc/runs/${run_id}/events`, as: ann, body: events })
  same('status of the append', answer.status, status)
  return answer.json()
}

/** Reads a run's stream, to its end if the run has ended. */
async function read(target: Target, path: string, enough: number, headers: Readonly<Record<string, string>> = {}) {
  const answer = await target.open({ path: `/api/svc/runs/${path}`, as: ann, headers })
  same('status of the stream', answer.status, 200)
  const { text, events } = await readEvents(answer, enough)
  answer.close()
  return { answer, text, events, types: events.map(({ data }) => data['type']), ids: events.map(({ id }) => id) }
}

/** The contract of feature `realtime.runs`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'a run is created, found and listed by its owner',
      steps: async (target) => {
        await make(target, 'found', [started])
        const one = await target.request({ path: '/api/svc/runs/found', as: ann })
        const record = one.json() as Record<string, unknown>
        same(
          'record',
          [record['run_id'], record['owner'], record['status'], record['first_seq'], record['last_seq']],
          ['found', { user_id: 'ann', tenant_id: 'runs' }, 'running', 1, 1],
        )
        const all = (await target.request({ path: '/api/svc/runs', as: ann })).json() as { runs: { run_id: string }[] }
        same(
          'listed',
          all.runs.some(({ run_id }) => run_id === 'found'),
          true,
        )
        const again = await target.request({
          method: 'POST',
          path: '/api/svc/runs',
          as: ann,
          body: { run_id: 'found' },
        })
        same('again', [again.status, (again.json() as { error: { code: string } }).error.code], [409, 'run_exists'])
      },
    },
    {
      name: 'a run without a name gets one; what is no description of a run is 400, and one that is too large 413',
      steps: async (target) => {
        const create = (body: unknown) => target.request({ method: 'POST', path: '/api/svc/runs', as: ann, body })
        const { run_id } = (await create({})).json() as { run_id: string }
        same('the name', /^run_[a-z2-7]{16}$/.test(run_id), true)
        for (const body of [[], { run_id: 7 }, { run_id: 'x', threadId: 't' }, { thread_id: null }])
          same(JSON.stringify(body), (await create(body)).status, 400)
        same('too large', (await create({ thread_id: 't'.repeat(66_000) })).status, 413)
      },
    },
    {
      name: 'an id has 1 to 256 bytes of UTF-8, percent-encoded in paths and headers',
      steps: async (target) => {
        const create = (body: object) => target.request({ method: 'POST', path: '/api/svc/runs', as: ann, body })
        for (const run_id of ['a b/ä?#%', '../x', 'é'.repeat(128)]) {
          const path = `/api/svc/runs/${encodeURIComponent(run_id)}`
          const made = await create({ run_id, thread_id: run_id })
          same(`creation of ${run_id}`, [made.status, made.headers['location']], [201, path])
          const one = await target.request({ path, as: ann })
          same(`record of ${run_id}`, (one.json() as { run_id: string }).run_id, run_id)
          const list = await target.request({
            path: `/api/svc/runs?thread_id=${encodeURIComponent(run_id)}`,
            as: ann,
          })
          same(`list of ${run_id}`, (list.json() as { runs: unknown[] }).runs.length, 1)
          const answer = await target.open({ path: `/api/svc/threads/${encodeURIComponent(run_id)}/stream`, as: ann })
          same(`thread of ${run_id}`, answer.status, 200)
          answer.close()
        }
        for (const id of ['', '.', '..', 'a\u0000', 'a\u007f', 'a\u0085', '\ud800', 'é'.repeat(129)])
          for (const body of [{ run_id: id }, { thread_id: id }])
            same(`creation of ${JSON.stringify(body)}`, (await create(body)).status, 400)
      },
    },
    {
      name: 'the stream gives what is retained, then live events, and ends with the run; 204 at the end',
      steps: async (target) => {
        const epoch = await make(target, 'whole', [started, opened])
        const answer = await target.open({ path: '/api/svc/runs/whole/stream', as: ann })
        await append(target, 'whole', said, 200)
        await append(target, 'whole', [closed, finished], 200)
        const { text, events } = await readEvents(answer, Infinity)
        checkStreamHeaders(answer)
        same('the first line', text.split('\n')[0], 'retry: 1000')
        same(
          'events',
          events.map(({ data }) => data),
          [started, opened, said, closed, finished],
        )
        same(
          'ids',
          events.map(({ id }) => id),
          [1, 2, 3, 4, 5].map((sequence) => `${epoch}-${sequence}`),
        )
        const over = await target.request({
          path: '/api/svc/runs/whole/stream',
          as: ann,
          headers: { 'last-event-id': `${epoch}-5` },
        })
        same('at the end', [over.status, over.text], [204, ''])
      },
    },
    {
      name: 'the cursor in the header wins over the query, and a bare integer means this process',
      steps: async (target) => {
        const epoch = await make(target, 'cursor', [started, opened, said, closed, finished])
        const header = await read(target, 'cursor/stream?last_event_id=1', 9, { 'last-event-id': `${epoch}-4` })
        same('by header', header.types, ['RUN_FINISHED'])
        const query = await read(target, 'cursor/stream?last_event_id=3', 9)
        same('by query', query.types, ['TEXT_MESSAGE_END', 'RUN_FINISHED'])
        same('nothing was lost', query.answer.headers['svc-last-event-id'], undefined)
      },
    },
    {
      name: 'a batch that is sent again with If-Match is in the run once; another one is 412, and what is no position 400',
      steps: async (target) => {
        const epoch = await make(target, 'again', [started])
        const send = async (body: unknown, match: string) => {
          const path = '/api/svc/runs/again/events'
          const answer = await target.request({ method: 'POST', path, as: ann, body, headers: { 'if-match': match } })
          return { status: answer.status, body: answer.json() as { last_seq?: number; error?: { lastSeq?: number } } }
        }
        for (const _time of ['first', 'second']) {
          const { status, body } = await send([opened, said], `"${epoch}-1"`)
          same('the batch', [status, body.last_seq], [200, 3])
        }
        const other = await send([said], `"${epoch}-1"`)
        same('another', [other.status, other.body.error?.lastSeq], [412, 3])
        same('of another epoch', (await send([closed], '"aaaaaaaa-3"')).status, 412)
        for (const match of ['*', `${epoch}-3`, `W/"${epoch}-3"`, '"3"'])
          same(match, (await send([closed], match)).status, 400)
        same('what follows', (await send([closed], `"${epoch}-3"`)).body.last_seq, 4)
      },
    },
    {
      name: 'lost history is told by header and in band',
      given: { 'realtime.run_max_events': 2 },
      steps: async (target) => {
        const epoch = await make(target, 'lost', [started, opened])
        await append(target, 'lost', [said, closed], 200) // a batch may have as many bytes as a run retains, and no more
        for (const requested of ['1', 'aaaaaaaa-3', `${epoch}-9`]) {
          const { answer, events } = await read(target, `lost/stream?last_event_id=${requested}`, 1)
          same('header', answer.headers['svc-last-event-id'], `${epoch}-2`)
          same('event', events[0], {
            data: { type: 'CUSTOM', name: 'svc.stream.gap', value: { requested, resumedAfter: `${epoch}-2` } },
          })
        }
      },
    },
    {
      name: 'stream_mode=agui_spec puts a standard client where the run stands; only the last frame of that has an id',
      steps: async (target) => {
        const epoch = await make(target, 'spec', [started, opened, said])
        const answer = await target.open({ path: '/api/svc/runs/spec/stream?stream_mode=agui_spec', as: ann })
        const prelude = await readEvents(answer, 4)
        same(
          'types',
          prelude.events.map(({ data }) => data['type']),
          ['RUN_STARTED', 'STATE_SNAPSHOT', 'MESSAGES_SNAPSHOT', 'TEXT_MESSAGE_START'],
        )
        same('messages', prelude.events[2]?.data['messages'], [{ id: 'm', role: 'assistant', content: 'hello' }])
        same(
          'ids',
          prelude.events.map(({ id }) => id ?? null),
          [null, null, null, `${epoch}-3`],
        )
        await append(target, 'spec', [closed, finished], 200)
        const tail = await readEvents(answer, Infinity)
        same(
          'tail',
          tail.events.map(({ id, data }) => [id, data]),
          [
            [`${epoch}-4`, closed],
            [`${epoch}-5`, finished],
          ],
        )
      },
    },
    {
      name: 'times=true gives the time at which the service got each event, in a field of its own; the events stay as they are',
      steps: async (target) => {
        const epoch = await make(target, 'times', [started, { ...opened, timestamp: 7 }])
        await append(target, 'times', [said, closed, finished], 200)
        const record = (await target.request({ path: '/api/svc/runs/times', as: ann })).json() as Record<string, number>
        const plain = await read(target, 'times/stream', 9)
        same('without it', /^at/m.test(plain.text), false)
        const timed = await read(target, 'times/stream?times=true', 9)
        const { text } = timed
        same('what is left without the field', text.replace(/^at: \d+\n/gm, ''), plain.text)
        const heads = [...text.matchAll(/^id: (.*)\nat: (\d+)\ndata: /gm)]
        same(
          'ids',
          heads.map(([, id]) => id),
          [1, 2, 3, 4, 5].map((sequence) => `${epoch}-${sequence}`),
        )
        const times = heads.map(([, , at]) => Number(at))
        same('in their order', times, times.toSorted())
        // The end of the run and its last event may be timed by two clocks in a cluster.
        const isNear = Math.abs((times.at(-1) ?? 0) - (record['ended_at_ms'] ?? 0)) < 60_000
        same('near the end of the run', isNear, true)
        const spec = await read(target, `times/stream?stream_mode=agui_spec&times=true&last_event_id=${epoch}-4`, 9)
        same('with agui_spec, live events have it', /^id: .*\nat: \d+\ndata: .*RUN_FINISHED/m.test(spec.text), true)
        const wrong = await target.request({ path: '/api/svc/runs/times/stream?times=yes', as: ann })
        same('another value', wrong.status, 400)
      },
    },
    {
      name: 'another stream_mode is 400',
      steps: async (target) => {
        await make(target, 'mode', [])
        const answer = await target.request({ path: '/api/svc/runs/mode/stream?stream_mode=raw', as: ann })
        same(
          'answer',
          [answer.status, (answer.json() as { error: { code: string } }).error.code],
          [400, 'malformed_request'],
        )
      },
    },
    {
      name: 'an illegal order is 409 and nothing of the batch is applied',
      steps: async (target) => {
        await make(target, 'order', [started])
        const { error } = (await append(target, 'order', [opened, said, finished], 409)) as { error: { code: string } }
        same('code', error.code, 'run_event_order')
        await append(target, 'order', { type: 'NO_SUCH_TYPE' }, 400)
        const record = (await target.request({ path: '/api/svc/runs/order', as: ann })).json() as { last_seq: number }
        same('last_seq', record.last_seq, 1)
      },
    },
    {
      name: 'optional members that are null are absent, and a required one is refused',
      steps: async (target) => {
        const nulls = { name: null, timestamp: null, metadata: null, rawEvent: null }
        await make(target, 'nulls', [started, { ...opened, ...nulls }])
        await append(target, 'nulls', { ...said, delta: null }, 400)
        const { events } = await read(target, 'nulls/stream', 2)
        same(
          'events',
          events.map(({ data }) => data),
          [started, opened],
        )
      },
    },
    ...[caller('other-tenant'), { user: 'bob', tenant: 'runs' }].map(
      (stranger): Case => ({
        name: `a run of another ${stranger.tenant === 'runs' ? 'user' : 'tenant'} is 404, as one that is not there`,
        steps: async (target) => {
          const run_id = `foreign-${stranger.tenant}`
          await make(target, run_id, [started])
          const headers = { 'content-type': 'application/json' }
          const send = (path: string, body?: unknown) =>
            target.request({
              ...{ path: `/api/svc/runs/${path}`, as: stranger },
              ...(body !== undefined && { method: 'POST', headers, body }),
            })
          for (const [tail, body] of [
            ['', undefined],
            ['/stream', undefined],
            ['/events', [finished]],
            ['/events', 'no JSON'],
          ]) {
            const [foreign, unknown] = [await send(`${run_id}${tail}`, body), await send(`no-such-run${tail}`, body)]
            const { error } = foreign.json() as { error: { code: string } }
            same(`${tail}`, [foreign.status, error.code, foreign.text], [404, 'not_found', unknown.text])
          }
          const taken = await target.request({ method: 'POST', path: '/api/svc/runs', as: stranger, body: { run_id } })
          same('the name is free for others', taken.status, 201)
        },
      }),
    ),
    ...listCases('listed-runs', {}),
    ...threadCases('threads', {}),
    ...othersCases('runs-of-others', {}),
    {
      name: 'without a credential there are no runs',
      send: { path: '/api/svc/runs' },
      expect: { status: 401 },
    },
  ],
  absent: ['/api/svc/runs', '/api/svc/runs/r', '/api/svc/runs/r/stream', '/api/svc/threads/t/stream'].map(
    (path): Case => ({
      name: `${path} is not there`,
      send: { path, as: ann },
      expect: { status: 404, body: { error: { code: 'not_found' } } },
    }),
  ),
})
