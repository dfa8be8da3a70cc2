import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Connection } from '../../../plugins/realtime/streams/connection.ts'
import { Feed } from '../../../plugins/realtime/streams/feed.ts'
import { encodeJson } from '../../../plugins/realtime/streams/sse.ts'
import { FakeSink, Turn } from './fakes.ts'

const lagged = (dropped: number): Uint8Array => encodeJson({ dropped })

interface Client {
  readonly sink: FakeSink
  readonly connection: Connection
  readonly from: number
  readonly topic: string | undefined
}

type Step =
  | { readonly do: 'publish'; readonly topic: string; readonly size: number }
  | { readonly do: 'join'; readonly topic: string | undefined }
  | { readonly do: 'stall' | 'read' | 'leave'; readonly which: number }
  | { readonly do: 'turn' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('publish' as const),
      topic: fc.constantFrom('a', 'b'),
      size: fc.integer({ min: 0, max: 300 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('join' as const), topic: fc.constantFrom(undefined, 'a', 'b') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('stall' as const, 'read' as const, 'leave' as const),
      which: fc.nat(6),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('turn' as const) }) },
)

function play(
  steps: readonly Step[],
  log: boolean,
): { clients: Client[]; feed: Feed; published: { n: number; topic: string }[] } {
  const turn = new Turn()
  const feed = new Feed({ maxFrames: 8, maxBytes: 8 * 512, soon: turn.soon, log })
  const clients: Client[] = []
  const published: { n: number; topic: string }[] = []
  for (const one of steps) {
    switch (one.do) {
      case 'publish':
        published.push({ n: feed.ring.next, topic: one.topic })
        feed.push({
          bytes: encodeJson({ n: feed.ring.next, topic: one.topic, fill: 'x'.repeat(one.size) }),
          topic: one.topic,
        })
        break
      case 'join': {
        const sink = new FakeSink(400)
        const connection = new Connection(sink, () => 0)
        const from = log ? feed.ring.base : feed.ring.next
        clients.push({ sink, connection, from, topic: one.topic })
        feed.attach(connection, { from, ...(one.topic !== undefined && { topic: one.topic }), onLag: lagged })
        break
      }
      case 'turn':
        turn.end()
        break
      default: {
        const sink = clients[one.which % Math.max(1, clients.length)]?.sink
        if (sink === undefined) break
        if (one.do === 'stall') sink.stalled = true
        else if (one.do === 'read') sink.read()
        else sink.leave()
      }
    }
  }
  turn.end()
  for (const { sink } of clients) sink.read()
  turn.end()
  return { clients, feed, published }
}

test('a log gives every reader each frame since its start once, in order, or ends the reader', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const { clients, feed, published } = play(steps, true)
      for (const { sink, from, topic } of clients) {
        const wanted = published
          .filter(({ n, topic: of }) => n >= from && (topic === undefined || of === topic))
          .map(({ n }) => n)
        const got = sink.events.map(({ data }) => data['n'])
        if (sink.ended || sink.closed) assert.equal(got, wanted.slice(0, got.length))
        else assert.equal(got, wanted)
      }
      assert.ok(feed.ring.size <= 8)
    }),
    { numRuns: 1500 },
  )
})

test('an entity stream keeps the order, repeats nothing, and reports exactly how many events each reader missed', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const { clients, feed, published } = play(steps, false)
      for (const { sink, from, topic } of clients) {
        if (sink.closed) continue
        const wanted = published
          .filter(({ n, topic: of }) => n >= from && (topic === undefined || of === topic))
          .map(({ n }) => n)
        let next = 0
        for (const { data } of sink.events) {
          if (data['dropped'] !== undefined) next += data['dropped'] as number
          else assert.is(data['n'], wanted[next++])
        }
        assert.is(next, wanted.length)
      }
      assert.is(feed.ring.size, 0, 'nothing is kept once all readers have caught up')
    }),
    { numRuns: 1500 },
  )
})

test('all frames of a turn leave in one write, with the same bytes for every reader', () => {
  const turn = new Turn()
  const feed = new Feed({ maxFrames: 100, maxBytes: 100_000, soon: turn.soon, log: false })
  const sinks = [new FakeSink(), new FakeSink(), new FakeSink()]
  for (const sink of sinks) feed.attach(new Connection(sink, () => 0), { from: feed.ring.next, onLag: lagged })
  for (let n = 0; n < 5; n++) feed.push({ bytes: encodeJson({ n }) })
  for (const sink of sinks) assert.is(sink.chunks.length, 0)
  turn.end()
  for (const sink of sinks) {
    assert.is(sink.chunks.length, 1)
    assert.is(sink.chunks[0], sinks[0]!.chunks[0])
    assert.is(sink.events.length, 5)
  }
})

test('readers with another topic, position or filter get their own frames, whichever reader is served first', () => {
  const turn = new Turn()
  const feed = new Feed({ maxFrames: 100, maxBytes: 100_000, soon: turn.soon, log: true })
  for (let n = 1; n < 4; n++) feed.push({ bytes: encodeJson({ n }), topic: n % 2 === 0 ? 'even' : 'odd' })
  const later = (_: unknown, sequence: number): boolean => sequence > 4
  const wishes = [
    { wish: {}, gets: [4, 5, 6] },
    { wish: {}, gets: [4, 5, 6] },
    { wish: { from: 5 }, gets: [5, 6] },
    { wish: { accepts: later }, gets: [5, 6] },
    { wish: { topic: 'even' }, gets: [4, 6] },
    { wish: {}, gets: [4, 5, 6] },
    { wish: { topic: 'odd' }, gets: [5] },
    { wish: { hidden: new Set(['odd']) }, gets: [4, 6] },
    { wish: { topic: 'even' }, gets: [4, 6] },
    { wish: { accepts: () => true }, gets: [4, 5, 6] },
  ]
  const sinks = wishes.map(({ wish }) => {
    const sink = new FakeSink()
    feed.attach(new Connection(sink, () => 0), { from: 4, onLag: lagged, ...wish })
    return sink
  })
  for (let n = 4; n < 7; n++) feed.push({ bytes: encodeJson({ n }), topic: n % 2 === 0 ? 'even' : 'odd' })
  turn.end()
  for (const [i, sink] of sinks.entries())
    assert.equal(
      sink.events.map(({ data }) => data),
      wishes[i]!.gets.map((n) => ({ n })),
    )
  assert.is(sinks[1]!.chunks[0], sinks[0]!.chunks[0])
  assert.is(sinks[5]!.chunks[0], sinks[0]!.chunks[0])
  assert.is(sinks[8]!.chunks[0], sinks[4]!.chunks[0])
})

test('a frame for one user reaches that user only, and is not counted as missed by others', () => {
  const turn = new Turn()
  const feed = new Feed({ maxFrames: 2, maxBytes: 100_000, soon: turn.soon, log: false })
  const [ann, bob] = [new FakeSink(10), new FakeSink(10)]
  feed.attach(new Connection(ann, () => 0), { from: 1, user: 'ann', onLag: lagged })
  feed.attach(new Connection(bob, () => 0), { from: 1, user: 'bob', onLag: lagged })
  feed.push({ bytes: encodeJson({ n: 1 }), user: 'ann' })
  turn.end()
  assert.equal([ann.events.length, bob.events.length], [1, 0])
  bob.stalled = true
  feed.push({ bytes: encodeJson({ n: 2 }) })
  turn.end()
  for (let n = 3; n < 9; n++) {
    feed.push({ bytes: encodeJson({ n }), user: 'ann' })
    turn.end()
  }
  bob.read()
  turn.end()
  assert.equal(
    bob.events.map(({ data }) => data),
    [{ n: 2 }],
  )
  assert.is(ann.events.length, 8)
})

test('frames that a stuck reader misses are counted while it is stuck', () => {
  const turn = new Turn()
  const feed = new Feed({ maxFrames: 2, maxBytes: 100_000, soon: turn.soon, log: false })
  const stuck = new FakeSink(1)
  let dropped = 0
  feed.attach(new Connection(stuck, () => 0), {
    from: 1,
    topic: 'a',
    onLag: lagged,
    onDropped: (frames) => {
      dropped += frames
    },
  })
  stuck.stalled = true
  for (let n = 0; n < 10; n++) {
    feed.push({ bytes: encodeJson({ n }), topic: 'a' })
    feed.push({ bytes: encodeJson({ n }), topic: 'b' })
    turn.end()
  }
  assert.is(dropped, 8, 'the first was written, the last is kept')
  stuck.read()
  turn.end()
  assert.is(
    stuck.events.reduce((sum, { data }) => sum + ((data['dropped'] as number | undefined) ?? 0), 0),
    dropped,
  )
})

test('a reader that starts as held keeps its pending frames, up to a separate bound', () => {
  for (const [count, lost] of [
    [500, false],
    [5_000, true],
  ] as const) {
    const turn = new Turn()
    const feed = new Feed({ maxFrames: 8, maxBytes: 4_096, maxHeldBytes: 1_000_000, soon: turn.soon, log: false })
    const sink = new FakeSink()
    const reader = feed.attach(new Connection(sink, () => 0), { from: 1, onLag: () => null, held: true })
    for (let n = 0; n < count; n++) {
      feed.push({ bytes: encodeJson({ n, fill: 'x'.repeat(100) }) })
      turn.end()
    }
    assert.ok(feed.ring.bytes <= 1_000_000)
    feed.release(reader)
    turn.end()
    assert.is(sink.ended, lost)
    if (!lost) assert.is(sink.events.length, count)
    // After the reader has caught up, the common bound applies again.
    sink.stalled = true
    for (let n = 0; n < 100; n++) feed.push({ bytes: encodeJson({ n, fill: 'x'.repeat(2_000) }) })
    assert.ok(feed.ring.bytes <= 4_096)
  }
})

test('a long preface is sent piece by piece before live frames', () => {
  const turn = new Turn()
  const feed = new Feed({ maxFrames: 100, maxBytes: 100_000, soon: turn.soon, log: true })
  const sink = new FakeSink(1000)
  sink.stalled = true
  const connection = new Connection(sink, () => 0)
  connection.sendFirst(encodeJson({ big: 'x'.repeat(1_000_000) }))
  feed.attach(connection, { from: 1, onLag: lagged })
  feed.push({ bytes: encodeJson({ n: 1 }) })
  turn.end()
  assert.ok(sink.buffered <= 65_536 + 1000, 'a reader that does not read holds one piece')
  while (sink.buffered > 0) {
    sink.read()
    sink.stalled = true
  }
  sink.read()
  assert.equal(Object.keys(sink.events[0]!.data), ['big'])
  assert.equal(sink.events[1]!.data, { n: 1 })
})

test.run()
