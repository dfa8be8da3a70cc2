/**
 * Attacks on runs and entity streams: requests that are cheap to send and expensive to process, or small to send and
 * large to store.
 */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { attacksOf, beside, serversBefore, startTarget, type Target } from './rig.ts'
import { assertCalm, type Report } from './stranger.ts'

const test = suite('hostile: realtime')
const it = attacksOf(test)
const MIB = 1024 * 1024

/** The limit of all runs of these servers together, in bytes. One identity may use a quarter. */
const ALL_BYTES = 64 * MIB
const settings = {
  SVC_REALTIME__RUNS_MAX_BYTES: String(ALL_BYTES),
  SVC_REALTIME__TOPICS: 'todos',
  SVC_SERVER__MODE: 'runtime',
  SVC_SERVER__SHUTDOWN_GRACE_MS: '1000',
}

/**
 * The most growth of the process in addition to stored runs, in bytes: bodies in transit and garbage that is not
 * collected yet.
 */
const SLACK_BYTES = 192 * MIB

/**
 * The most processor time in ms that one batch of events may take. A batch is applied as a whole, and its work is
 * bounded.
 */
const BATCH_MS = 200

/**
 * The most processor time in ms while many readers join a run: a slice of their work, and a turn of what other readers
 * get.
 */
const JOINS_MS = 50

/** Asserts that the stranger is served calmly, and that half of the answers are not delayed at all. */
function assertServed(report: Report, boundMs: number = BATCH_MS): void {
  assertCalm(report, boundMs)
  assert.ok(report.p50Ms < 100, JSON.stringify(report))
}

type Event = Readonly<Record<string, unknown>>
const started: Event = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }

/** A caller that creates runs and appends to them. */
function caller(target: Target, user: string, tenant: string) {
  const headers = { ...target.bearer(user, ['live:publish'], tenant), 'content-type': 'application/json' }
  const post = async (path: string, body: unknown): Promise<number> => {
    const answer = await target.ask(path, {
      method: 'POST',
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    await answer.arrayBuffer()
    return answer.status
  }
  return {
    post,
    make: async (run_id: string): Promise<number> => {
      const status = await post('/api/svc/runs', { run_id })
      return status === 201 ? post(`/api/svc/runs/${run_id}/events`, [started]) : status
    },
    append: (run_id: string, events: readonly Event[]): Promise<number> =>
      post(`/api/svc/runs/${run_id}/events`, events),
    get: (path: string): Promise<Response> => target.ask(path, { headers }),
  }
}

/** Reads a stream until `enough` accepts the text so far, or the stream ends. */
async function read(answer: Response, enough: (text: string) => boolean): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  const reader = answer.body!.getReader()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    text += decoder.decode(piece.value, { stream: true })
    if (enough(text)) break
  }
  await reader.cancel()
  return text
}

const wide = (members: number): Event => ({
  type: 'STATE_SNAPSHOT',
  snapshot: Object.fromEntries(Array.from({ length: members }, (_, i) => [`m${i}`, i])),
})

for (const server of serversBefore()) {
  it(`${server}: patches and snapshots of wide runs`, async () => {
    const target = await startTarget(server, settings)
    const eve = caller(target, 'eve', 'evil')
    const { report, grownBytes, result } = await beside(target, async () => {
      const seen: number[] = []
      await eve.make('wide')
      seen.push(await eve.append('wide', [wide(60_000)]), await eve.append('wide', [wide(20_000)]))
      for (let round = 0; round < 10; round++) {
        const operations = Array.from({ length: 300 }, (_, i) => ({
          op: 'replace',
          path: `/m${round * 300 + i}`,
          value: 0,
        }))
        seen.push(await eve.append('wide', [{ type: 'STATE_DELTA', delta: operations }]))
      }
      const copies = Array.from({ length: 500 }, (_, i) => ({ op: 'copy', from: '', path: `/c${i}` }))
      seen.push(await eve.append('wide', [{ type: 'STATE_DELTA', delta: copies }]))
      const looks = Array.from({ length: 1_000 }, () => ({ op: 'test', path: '', value: {} }))
      for (let round = 0; round < 10; round++) await eve.append('wide', [{ type: 'STATE_DELTA', delta: looks }])
      await eve.make('long')
      const messages = Array.from({ length: 5_000 }, (_, i) => ({ id: `t${i}`, role: 'reasoning', content: '' }))
      await eve.append('long', [{ type: 'MESSAGES_SNAPSHOT', messages }])
      const nothing = Array.from({ length: 100 }, () => ({ type: 'MESSAGES_SNAPSHOT', messages: [] }))
      for (let round = 0; round < 10; round++) await eve.append('long', nothing)
      return seen
    })
    assert.equal(result, [413, ...Array.from({ length: 11 }, () => 200), 429])
    assertServed(report)
    assert.ok(grownBytes < ALL_BYTES / 4 + SLACK_BYTES, `${grownBytes}`)
  })

  it(`${server}: batches of many small events, each of which processes all of a large run`, async () => {
    const target = await startTarget(server, settings)
    const eve = caller(target, 'eve', 'evil')
    const { report, result } = await beside(target, async () => {
      const seen: number[] = []
      await eve.make('wide')
      assert.is(await eve.append('wide', [wide(20_000)]), 200)
      await eve.make('long')
      const messages = Array.from({ length: 5_000 }, (_, i) => ({ id: `t${i}`, role: 'reasoning', content: '' }))
      assert.is(await eve.append('long', [{ type: 'MESSAGES_SNAPSHOT', messages }]), 200)
      const patch = (...delta: readonly unknown[]): Event => ({ type: 'STATE_DELTA', delta })
      const copy = patch({ op: 'copy', from: '/m1', path: '/m0' })
      const wrong = patch({ op: 'add', path: '/x', value: 1 }, { op: 'test', path: '/x', value: 2 })
      const nothing: Event = { type: 'MESSAGES_SNAPSHOT', messages: [] }
      const batch = (run: string, length: number, event: Event): Promise<number> =>
        eve.append(run, Array<Event>(length).fill(event))
      for (let round = 0; round < 2; round++) {
        seen.push(await batch('wide', 2_500, copy))
        // The values of a snapshot are copied before their first change.
        assert.is(await eve.append('wide', [wide(20_000)]), 200)
        seen.push(await batch('wide', 1_500, wrong), await batch('long', 4_096, nothing))
      }
      return seen
    })
    assertServed(report)
    assert.equal(result, [200, 429, 429, 200, 429, 429])
  })

  it(`${server}: runs that use more than their share, beside the run of another caller`, async () => {
    const target = await startTarget(server, settings)
    const [ann, eve] = [caller(target, 'ann', 'acme'), caller(target, 'eve', 'evil')]
    await ann.make('mine')
    const reader = read(await ann.get('/api/svc/runs/mine/stream'), (text) => text.includes('last'))
    const { report, grownBytes, result } = await beside(target, async () => {
      const seen = new Map<number, number>()
      for (let run = 0; run < 5; run++) {
        await eve.make(`r${run}`)
        for (let n = 0; n < 20; n++) {
          const status = await eve.append(`r${run}`, [
            { type: 'SUBAGENT_STARTED', subagentRunId: `s${n}`, name: 'n' },
            { type: 'SUBAGENT_FINISHED', subagentRunId: `s${n}`, result: 'x'.repeat(900_000) },
          ])
          seen.set(status, (seen.get(status) ?? 0) + 1)
        }
      }
      return seen
    })
    assert.ok((result.get(429) ?? 0) > 0, JSON.stringify([...result]))
    assert.equal([...result.keys()].sort(), [200, 429])
    assertServed(report)
    assert.ok(grownBytes < ALL_BYTES / 4 + SLACK_BYTES, `${grownBytes}`)
    assert.is(await ann.append('mine', [{ type: 'CUSTOM', name: 'last', value: 'x'.repeat(100_000) }]), 200)
    assert.match(await reader, /RUN_STARTED.*last/s)
  })

  it(`${server}: a storm of readers at old positions`, async () => {
    const target = await startTarget(server, settings)
    const eve = caller(target, 'eve', 'evil')
    await eve.make('r')
    assert.is(await eve.append('r', [wide(20_000)]), 200)
    for (let round = 0; round < 8; round++) {
      const deltas = Array.from({ length: 450 }, (_, i) => ({
        type: 'STATE_DELTA',
        delta: [{ op: 'replace', path: `/m${i}`, value: round }],
      }))
      assert.is(await eve.append('r', deltas), 200)
    }
    const storm = (): Promise<string[]> =>
      Promise.all(
        Array.from({ length: 24 }, async (_, n) => {
          const place = 3_000 - (n >> 1) * 200
          const answer = await eve.get(`/api/svc/runs/r/stream?stream_mode=agui_spec&last_event_id=${place}`)
          if (answer.status !== 200) return `${answer.status}`
          return read(answer, (text) => text.includes(`-${place}\n`) && text.includes(`-${place + 5}\n`))
        }),
      )
    const { report, result } = await beside(target, storm, { everyMs: 5 })
    assert.ok(
      result.some((text) => text.includes('STATE_SNAPSHOT')),
      'at least one reader is served',
    )
    // A caller that requests more than its share at once gets 429.
    for (const text of result) assert.ok(text === '429' || text.includes('MESSAGES_SNAPSHOT'), text.slice(0, 100))
    assertServed(report, JOINS_MS)
  })

  it(`${server}: events nested deep, and batches larger than a run retains`, async () => {
    const target = await startTarget(server, settings)
    const eve = caller(target, 'eve', 'evil')
    await eve.make('r')
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
    assert.is(await eve.post('/api/live/todos', `{"identifier":"a","operation":"insert","data":${deep}}`), 400)
    assert.is(await eve.post('/api/svc/runs/r/events', `{"type":"CUSTOM","name":"n","value":${deep}}`), 400)
    const batch = (length: number): Event[] =>
      Array.from({ length }, (_, n) => ({ type: 'CUSTOM', name: 'n', value: n }))
    assert.is(await eve.append('r', batch(5_000)), 413)
    assert.is(await eve.append('r', batch(9_000)), 413)
    const reader = read(await eve.get('/api/svc/runs/r/stream'), (text) => text.includes('"value":4095}'))
    assert.is(await eve.append('r', batch(4_096)), 200)
    const text = await reader
    assert.is(text.match(/^data: \{"type":"CUSTOM"/gm)?.length, 4_096)
  })
}

test.run()
