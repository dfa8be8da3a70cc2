import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { EntityEvent, SnapshotEntry } from '../../../plugins/realtime/live/api.ts'
import { nodes, onOneNode } from '../../support/nodes.ts'
import { type Listening, startRig } from './rig.ts'

const event = (topic: string, identifier: string, data: unknown = { n: 1 }): EntityEvent => ({
  topic,
  identifier,
  operation: 'update',
  data,
})
const LATER = 'publishing ends before the event arrives'
const IN_PROCESS = 'it looks into the process'
const TWICE = 'a change that is under way while a snapshot is made may come twice'

const data = (stream: Listening): unknown[] => stream.events().map((one) => one.data)

/** Waits until the events of a stream satisfy a condition. Fails if the stream ends before. */
async function until(
  stream: Listening,
  isThere: (events: readonly Record<string, unknown>[]) => boolean,
): Promise<void> {
  for (let count = 1; !isThere(stream.events().map((one) => one.data)); count++)
    if ((await stream.take(count)).length < count) assert.unreachable('the stream ended')
}

test('a topic with a scope reaches only readers with this scope, on every stream', async () => {
  const rig = await startRig({ 'realtime.topics': ['todos'] })
  const live = rig.capability('Live')
  live.enroll('secret', () => [{ identifier: 's', data: 1 }], { scope: 'secret:read' })
  // A second enrolment does not remove the scope.
  live.enroll('secret')
  const paths = ['/api/live', '/api/svc/sync/stream']
  const open = (as: string): Promise<Listening[]> => Promise.all(paths.map((path) => rig.listen(path, { as })))
  const [allowed, denied] = [await open('acme/ann secret:read'), await open('acme/bob live:publish')]
  const refused = await rig.fetch('/api/live/secret', { as: 'acme/bob secret' })
  assert.equal([refused.status, ((await refused.json()) as { error: { code: string } }).error.code], [403, 'forbidden'])
  const single = await rig.listen('/api/live/secret', { as: 'acme/ann secret:read' })
  for (const stream of [allowed[1]!, denied[1]!])
    await until(stream, (events) => events.some((one) => one['operation'] === 'ready'))
  for (let n = 0; n < 3; n++) {
    live.publish({ tenant: 'acme' }, event('secret', `${n}`))
    live.publish({ tenant: 'acme' }, event('todos', `${n}`))
  }
  const last = (events: readonly Record<string, unknown>[]): boolean =>
    events.some((one) => one['topic'] === 'todos' && one['identifier'] === '2')
  for (const stream of [...allowed, ...denied]) await until(stream, last)
  await single.take(3)
  const secretEvents = (stream: Listening): string[] =>
    data(stream)
      .map((one) => one as EntityEvent)
      .filter(({ topic, identifier }) => topic === 'secret' || identifier === 'secret')
      .map(({ topic, operation, identifier }) => `${topic} ${operation} ${identifier}`)
  const expected = ['0', '1', '2'].map((n) => `secret update ${n}`)
  assert.equal(secretEvents(allowed[0]!), expected)
  assert.equal(secretEvents(allowed[1]!), ['$svc reset secret', 'secret insert s', ...expected])
  assert.equal(secretEvents(single), expected)
  for (const stream of denied) assert.not.match(stream.text(), /secret/)
  for (const stream of [...allowed, ...denied, single]) stream.close()
  await rig.stop()
})

onOneNode(test, IN_PROCESS, 'the count of missed events leaves out events that the reader may not see', async () => {
  const rig = await startRig({ 'realtime.topics': ['todos'], 'realtime.live_max_events': 4 })
  const live = rig.capability('Live')
  live.enroll('secret', undefined, { scope: 'secret:read' })
  const hub = rig.capability('LiveHub')
  const counts = ['', 'secret:read'].map((scope) => {
    let count = 0
    const stuck = { ready: false, closed: false, send: () => true, end: () => undefined, onResume: () => undefined }
    hub.feed('acme').attach({ ...stuck, onClose: () => undefined } as never, {
      from: hub.feed('acme').ring.next,
      hidden: hub.hiddenFrom([scope]),
      onLag: () => null,
      onDropped: (events) => {
        count += events
      },
    })
    return () => count
  })
  for (let n = 0; n < 10; n++) live.publish({ tenant: 'acme' }, event(n < 5 ? 'secret' : 'todos', `${n}`))
  assert.equal(
    counts.map((count) => count()),
    [1, 6],
  )
  await rig.stop()
})

test('data that JSON cannot express is refused, with and without a listener', async () => {
  const rig = await startRig({ 'realtime.topics': ['todos'] })
  const live = rig.capability('Live')
  const publish = (): void =>
    live.publish({ tenant: 'acme' }, { topic: 'todos', identifier: 'a', operation: 'insert', data: { size: 1n } })
  assert.throws(publish, /BigInt/)
  const stream = await rig.listen('/api/live', { as: 'acme/bob' })
  assert.throws(publish, /BigInt/)
  stream.close()
  await rig.stop()
})

test('`hears` is true if a reader of the tenant could get an event', async () => {
  const rig = await startRig({ 'realtime.topics': ['todos'] })
  const live = rig.capability('Live')
  const heard = (): boolean[] => ['acme', 'else'].map((tenant) => live.hears(tenant))
  // In a cluster a node does not know the readers of other nodes.
  const before = heard()
  assert.equal(before, nodes().count > 1 ? [true, true] : [false, false])
  const stream = await rig.listen('/api/live', { as: 'acme/bob' })
  assert.equal(heard(), nodes().count > 1 ? [true, true] : [true, false])
  stream.close()
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(heard(), before)
  await rig.stop()
})

onOneNode(
  test,
  LATER,
  'the bridge becomes ready without loss, although megabytes change during its snapshot',
  async () => {
    const rig = await startRig()
    const live = rig.capability('Live')
    let go = (): void => {}
    live.enroll('todos', async function* (): AsyncGenerator<SnapshotEntry> {
      yield { identifier: 'first', data: null }
      await new Promise<void>((resolve) => {
        go = resolve
      })
    } as never)
    const stream = await rig.listen('/api/svc/sync/stream', { as: 'acme/ann' })
    await stream.take(2)
    const count = 3_000
    for (let n = 0; n < count; n++) live.publish({ tenant: 'acme' }, event('todos', `${n}`, 'x'.repeat(1_000)))
    go()
    await stream.take(count + 3)
    const seen = stream.events().map(({ data }) => `${data['topic']} ${data['operation']} ${data['identifier']}`)
    const ready = seen.indexOf('$svc ready stream')
    assert.ok(ready > 0)
    assert.equal(
      seen.slice(ready + 1),
      Array.from({ length: count }, (_, n) => `todos update ${n}`),
    )
    stream.close()
    await rig.stop()
  },
)

type Act = readonly [what: 'publish' | 'join' | 'leave' | 'run', tenant: number, user: number]

test('under random traffic a tenant gets no bytes and no counts of another tenant', async () => {
  const act: fc.Arbitrary<Act> = fc.tuple(
    fc.constantFrom('publish', 'publish', 'publish', 'join', 'leave', 'run'),
    fc.nat(1),
    fc.nat(1),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 80 }), async (acts) => {
      const rig = await startRig({
        'realtime.topics': ['todos'],
        'realtime.live_max_events': 3,
        'realtime.max_streams_per_identity': 100,
      })
      const tenants = ['secret-a', 'secret-b']
      const streams: { tenant: number; user: number; stream: Listening; from: number; kind: string }[] = []
      const published: number[] = [0, 0]
      let runs = 0
      for (const [what, tenant, user] of acts) {
        if (what === 'publish') {
          published[tenant]!++
          rig
            .capability('Live')
            .publish({ tenant: tenants[tenant]! }, event('todos', `${tenants[tenant]}-${published[tenant]}`))
        } else if (what === 'run') {
          await rig
            .capability('Runs')
            .create(
              { tenant_id: tenants[tenant]!, user_id: `user-${user}` },
              { run_id: `${tenants[tenant]}-user-${user}-${runs++}` },
            )
        } else if (what === 'join') {
          const kind = ['/api/live', '/api/live/todos', '/api/svc/sync/stream'][streams.length % 3]!
          const stream = await rig.listen(kind, { as: `${tenants[tenant]}/user-${user}` })
          streams.push({ tenant, user, stream, from: published[tenant]!, kind })
        } else streams.find((one) => one.tenant === tenant)?.stream.close()
        if (published[0]! % 5 === 0) await new Promise((resolve) => setImmediate(resolve))
      }
      await rig.stop()
      for (const { tenant, user, stream, from, kind } of streams) {
        await stream.ended
        assert.not(stream.text().includes(tenants[1 - tenant]!), 'nothing of the other tenant')
        assert.not(stream.text().includes(`user-${1 - user}`), "nothing of another user's runs")
        const events = data(stream) as {
          topic: string
          operation: string
          identifier: string
          data: { dropped?: number }
        }[]
        const seen = events.filter(({ topic }) => topic === 'todos').length
        const missed = events.reduce((sum, one) => sum + (one.topic === '$svc' ? (one.data?.dropped ?? 0) : 0), 0)
        // Between nodes earlier events may still be under way.
        if (kind === '/api/live/todos' && nodes().count === 1)
          assert.ok(seen + missed <= published[tenant]! - from, 'no more is counted than the tenant published')
      }
    }),
    { numRuns: 25 },
  )
})

test('the bridge begins with the runs of the reader, and ends if a snapshot fails', async () => {
  const rig = await startRig()
  await rig.capability('Runs').create({ tenant_id: 'acme', user_id: 'ann' }, { run_id: 'mine' })
  await rig.capability('Runs').create({ tenant_id: 'acme', user_id: 'bob' }, { run_id: 'theirs' })
  const stream = await rig.listen('/api/svc/sync/stream', { as: 'acme/ann' })
  await stream.take(3)
  assert.equal(
    (data(stream) as EntityEvent[]).map(({ topic, operation, identifier }) => `${topic} ${operation} ${identifier}`),
    ['$svc reset runs', 'runs insert mine', '$svc ready stream'],
  )
  stream.close()
  rig.capability('Live').enroll('broken', () => Promise.reject(new Error('no database')))
  const broken = await rig.listen('/api/svc/sync/stream', { as: 'acme/ann' })
  await broken.ended
  assert.ok(rig.messages().includes('A snapshot for the bridge failed.'))
  await rig.stop()
})

onOneNode(
  test,
  TWICE,
  'after random changes around a snapshot a follower has the same rows as the source',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(9), fc.nat(3)), { maxLength: 40 }),
        fc.nat(40),
        async (changes, joinAt) => {
          const rig = await startRig({ 'realtime.live_max_events': 1000 })
          const live = rig.capability('Live')
          const rows = new Map<string, number>()
          const pause = async (turns: number): Promise<void> => {
            for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve))
          }
          live.enroll('rows', async function* (_reader, mark) {
            await pause(2)
            const snapshot = [...rows]
            mark()
            for (const [identifier, value] of snapshot) {
              await pause(1)
              yield { identifier, data: value }
            }
          })
          let stream: Listening | undefined
          const operations: number[] = []
          for (const [index, [key, value, wait]] of changes.entries()) {
            if (index === joinAt) stream = await rig.listen('/api/svc/sync/stream', { as: 'acme/ann' })
            if (value === 0) rows.delete(key)
            else rows.set(key, value)
            operations.push(index)
            live.publish(
              { tenant: 'acme' },
              { topic: 'rows', identifier: key, operation: value === 0 ? 'delete' : 'update', data: { index, value } },
            )
            await pause(wait)
          }
          stream ??= await rig.listen('/api/svc/sync/stream', { as: 'acme/ann' })
          await pause(20)
          await rig.stop()
          await stream.ended
          const followed = new Map<string, number>()
          const seen: number[] = []
          for (const one of data(stream) as {
            topic: string
            identifier: string
            operation: string
            data: { index: number; value: number } & number
          }[]) {
            if (one.topic !== 'rows') continue
            if (one.operation === 'insert') followed.set(one.identifier, one.data)
            else {
              seen.push(one.data.index)
              if (one.operation === 'delete') followed.delete(one.identifier)
              else followed.set(one.identifier, one.data.value)
            }
          }
          assert.equal(new Map([...followed].sort()), new Map([...rows].sort()))
          assert.equal(
            seen,
            operations.slice(operations.length - seen.length),
            'each change once, in order, to the end',
          )
        },
      ),
      { numRuns: 60 },
    )
  },
)

test.run()
