import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/errors.ts'
import { Keeper, type KeeperOptions, type StreamOwner } from '../../../plugins/realtime/stream/keeper.ts'
import { FakeClock, FakeSink } from './fakes.ts'

const live = { name: 'live', log: false }
const run = { name: 'run', log: true }

function setUp(options: Partial<KeeperOptions> = {}): { keeper: Keeper; clock: FakeClock } {
  const clock = new FakeClock()
  const keeper = new Keeper({
    clock,
    random: () => 0.5,
    heartbeatMs: 15_000,
    retryMs: 1000,
    maxAgeMs: 1_800_000,
    maxAgeJitter: 0.2,
    stallMs: 30_000,
    maxStreamsPerIdentity: 2,
    maxStreams: 3,
    ...options,
  })
  return { keeper, clock }
}

const ann: StreamOwner = { key: 'ann', expiresAtMs: null }
const codeOf = (work: () => void): string | undefined => {
  try {
    work()
  } catch (error) {
    if (isSvcError(error)) return `${error.code} ${error.status} ${error.headers?.['retry-after']}`
  }
  return undefined
}

test('opens with retry, then a heartbeat every 15 s', () => {
  const { keeper, clock } = setUp()
  const sink = new FakeSink()
  keeper.open(ann, live, sink)
  assert.is(sink.text, 'retry: 1000\n\n')
  clock.advance(45_500)
  assert.is(sink.text, `retry: 1000\n\n${': hb\n\n'.repeat(3)}`)
})

test('limits streams of an identity and of the process, and gives places back', () => {
  const { keeper } = setUp()
  const sinks = [new FakeSink(), new FakeSink(), new FakeSink()]
  for (const sink of sinks.slice(0, 2)) keeper.open(ann, live, sink)
  assert.is(
    codeOf(() => keeper.admit(ann)),
    'rate_limited 429 5',
  )
  assert.is(
    codeOf(() => keeper.admit({ ...ann, key: 'bob' })),
    undefined,
  )
  assert.is(
    codeOf(() => keeper.admit({ ...ann, key: null })),
    undefined,
  )
  keeper.open({ ...ann, key: null }, live, sinks[2]!)
  assert.is(
    codeOf(() => keeper.admit({ ...ann, key: 'bob' })),
    'overloaded 503 5',
  )
  sinks[0]!.leave()
  assert.is(
    codeOf(() => keeper.admit(ann)),
    undefined,
  )
})

test('ends at the age, spread by a fifth either way', () => {
  for (const [chance, at] of [
    [0, 1_440_000],
    [1, 2_160_000],
  ] as const) {
    const { keeper, clock } = setUp({ random: () => chance })
    const sink = new FakeSink()
    keeper.open(ann, live, sink)
    clock.advance(at - 2000)
    assert.not(sink.ended)
    clock.advance(3000)
    assert.ok(sink.ended)
    assert.is(clock.timers, 0, 'no timer without a stream')
  }
})

test('ends with the credential: when it expires, and within a second of its revocation', () => {
  const { keeper, clock } = setUp()
  const [expiring, revoked] = [new FakeSink(), new FakeSink()]
  let active = true
  keeper.open({ ...ann, expiresAtMs: clock.now() + 60_000 }, live, expiring)
  keeper.open({ ...ann, isActive: () => active }, live, revoked)
  clock.advance(59_000)
  assert.not(expiring.ended)
  clock.advance(1000)
  assert.ok(expiring.ended)
  assert.not(revoked.ended)
  active = false
  clock.advance(1000)
  assert.ok(revoked.ended)
})

test('cuts a log reader that stands still for 30 s, not one that crawls, and no entity reader', () => {
  const { keeper, clock } = setUp()
  const [stuck, slow, entity] = [new FakeSink(10), new FakeSink(10), new FakeSink(10)]
  for (const sink of [stuck, slow, entity]) sink.stalled = true
  keeper.open(ann, run, stuck)
  keeper.open(ann, run, slow)
  keeper.open(ann, live, entity)
  slow.buffered = 1000
  for (let i = 0; i < 40; i++) {
    clock.advance(1000)
    if (i % 10 === 0) slow.buffered--
  }
  assert.equal([stuck.ended, slow.ended, entity.ended], [true, false, false])
})

test('a drain ends everything and lets nobody in', () => {
  const { keeper } = setUp()
  const sink = new FakeSink()
  keeper.open(ann, live, sink)
  keeper.drain()
  assert.ok(sink.ended)
  assert.is(keeper.size, 0)
  assert.is(
    codeOf(() => keeper.admit(ann)),
    'overloaded 503 5',
  )
  const late = new FakeSink()
  keeper.open(ann, live, late)
  assert.ok(late.ended, 'admitted before the drain, opened after it')
})

test('a thousand come and go and nothing stays', () => {
  const counted = { opened: 0, closed: 0, dropped: () => {} }
  const { keeper, clock } = setUp({
    maxStreams: 2000,
    maxStreamsPerIdentity: 2000,
    observe: { opened: () => counted.opened++, closed: () => counted.closed++, dropped: () => {} },
  })
  const sinks = Array.from({ length: 1000 }, () => new FakeSink())
  for (const sink of sinks) keeper.open(ann, live, sink)
  sinks.forEach((sink, index) => {
    if (index % 2 === 0) sink.leave()
  })
  keeper.drain()
  assert.equal([keeper.size, clock.timers, counted.opened, counted.closed], [0, 0, 1000, 1000])
})

test.run()
