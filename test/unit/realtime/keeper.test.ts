import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import { closedSink } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import { Keeper, type KeeperOptions, type StreamOwner } from '../../../plugins/realtime/streams/keeper.ts'
import { makeRequest } from '../../support/requests.ts'
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
    streamsTenantShare: 1,
    ownerOf: () => owner,
    ...options,
  })
  return { keeper, clock }
}

const ann: StreamOwner = { key: 'ann', tenant: 'acme', credentialId: null, expiresAtMs: null }
/** The owner of the next request. */
let owner = ann
const from = (one: StreamOwner): SvcRequest => {
  owner = one
  return makeRequest('/')
}
const codeOf = (work: () => void): string | undefined => {
  try {
    work()
  } catch (error) {
    if (isSvcError(error)) return `${error.code} ${error.status} ${error.headers?.['retry-after']}`
  }
  return undefined
}

test('one acting key has a share of the streams of its tenant, for all users and itself together', () => {
  const { keeper } = setUp({ maxStreams: 16, streamsTenantShare: 0.5, actingKeyShare: 0.5 })
  const by = (key: string, actingKey: string | null): StreamOwner => ({ ...ann, key, actingKey })
  const opened = ['ann', 'bo', 'cy', 'backend'].map((user) => keeper.admit(from(by(user, 'k')), live)(new FakeSink()))
  assert.is(
    codeOf(() => keeper.admit(from(by('dan', 'k')), live)),
    'rate_limited 429 5',
  )
  keeper.admit(from(by('dan', 'other')), live)
  keeper.admit(from(by('dan', null)), live)
  opened[0]?.end()
  keeper.admit(from(by('eve', 'k')), live)
})

test('a stream that the service ends gets a last frame, unless its client is still reading the first piece', () => {
  const { keeper, clock } = setUp({ maxAgeJitter: 0 })
  const kind = { ...run, last: new TextEncoder().encode('data: bye\n\n') }
  const [sink, busy] = [new FakeSink(), new FakeSink()]
  keeper.admit(from(ann), kind)(sink)
  const connection = keeper.admit(from(ann), kind)(busy)
  busy.stalled = true
  connection.sendFirst(new Uint8Array(200_000))
  clock.advance(1_801_000)
  assert.equal([sink.ended, sink.text.endsWith('data: bye\n\n')], [true, true])
  assert.equal([busy.ended || busy.aborted, busy.text.includes('bye')], [true, false])
})

test('the streams of a tenant are limited to its share of all, and callers without a tenant count as one', () => {
  const { keeper } = setUp({ maxStreams: 5, streamsTenantShare: 0.5 })
  const admit = (one: Partial<StreamOwner>): string | undefined =>
    codeOf(() => keeper.admit(from({ ...ann, ...one }), live)(new FakeSink()))
  for (const tenant of ['acme', null]) {
    const sink = new FakeSink()
    keeper.admit(from({ ...ann, key: `1 ${tenant}`, tenant }), live)(sink)
    assert.is(admit({ key: `2 ${tenant}`, tenant }), undefined)
    assert.is(admit({ key: `3 ${tenant}`, tenant }), 'rate_limited 429 5')
    sink.leave()
    assert.is(admit({ key: `3 ${tenant}`, tenant }), undefined)
  }
  assert.is(admit({ key: '1 other', tenant: 'other' }), undefined)
  assert.is(admit({ key: '2 other', tenant: 'other' }), 'overloaded 503 5', 'the process is full')
})

test('each stream draws its own age within the jitter, so that streams that began together end apart', () => {
  const chances = [0.25, 0.5, 0.75]
  const { keeper, clock } = setUp({ random: () => chances.shift()!, maxStreamsPerIdentity: 3 })
  const sinks = [new FakeSink(), new FakeSink(), new FakeSink()]
  for (const sink of sinks) keeper.admit(from(ann), live)(sink)
  assert.is(chances.length, 0, 'one draw for each stream')
  const endedMs: number[] = []
  for (let atMs = 0; atMs < 2_000_000; atMs += 1_000) {
    clock.advance(1_000)
    for (const [i, sink] of sinks.entries()) if (sink.ended) endedMs[i] ??= atMs + 1_000
  }
  // The age is 30 minutes, 20 % either way: 0.9, 1 and 1.1 of it.
  for (const [i, wantedMs] of [1_620_000, 1_800_000, 1_980_000].entries())
    assert.ok(Math.abs(endedMs[i]! - wantedMs) <= 2_000, `stream ${i}: ${endedMs[i]} ms`)
})

test('a log reader that does not read for 30 s is aborted, a slow log reader and an entity reader are not', () => {
  const { keeper, clock } = setUp({ maxStreamsPerIdentity: 3 })
  const [stuck, slow, entity] = [new FakeSink(10), new FakeSink(10), new FakeSink(10)]
  for (const sink of [stuck, slow, entity]) sink.stalled = true
  keeper.admit(from(ann), run)(stuck)
  keeper.admit(from(ann), run)(slow)
  keeper.admit(from(ann), live)(entity)
  slow.buffered = 1000
  for (let i = 0; i < 40; i++) {
    clock.advance(1000)
    if (i % 10 === 0) slow.buffered--
  }
  assert.equal([stuck.aborted, slow.aborted, entity.aborted], [true, false, false])
})

test('a credential revoked between guard, admission and opening opens nothing', () => {
  const { keeper } = setUp()
  const mine = { ...ann, credentialId: 'key-1' }
  const open = keeper.admit(from(mine), live)
  keeper.revoke('key-1')
  const between = new FakeSink()
  open(between)
  assert.ok(between.ended)
  // The guard accepted this request just before the revocation.
  const late = new FakeSink()
  keeper.admit(from(mine), live)(late)
  assert.ok(late.ended)
  const other = new FakeSink()
  keeper.admit(from({ ...ann, credentialId: 'key-2' }), live)(other)
  assert.not(other.ended)
  assert.is(keeper.size, 1)
})

test('setting the clock changes no heartbeat, age or stall timeout, and a credential ends by either clock', () => {
  for (const step of [-3_600_000, 3_600_000]) {
    const { keeper, clock } = setUp()
    const [beating, stuck, ending] = [new FakeSink(), new FakeSink(10), new FakeSink()]
    keeper.admit(from({ ...ann, key: null }), live)(beating)
    keeper.admit(from({ ...ann, key: null }), run)(stuck)
    keeper.admit(from({ ...ann, key: null, expiresAtMs: clock.now() + 60_000 }), live)(ending)
    stuck.stalled = true
    clock.wall += step
    if (step > 0) {
      clock.advance(1_000)
      assert.ok(ending.ended, 'a guard would refuse the credential now')
    }
    clock.advance(16_000)
    assert.ok(beating.text.includes(': hb'))
    clock.advance(50_000)
    assert.ok(stuck.aborted)
    assert.ok(ending.ended)
    assert.not(beating.ended)
    clock.advance(1_800_000 * 1.2)
    assert.ok(beating.ended)
  }
})

test('events that are dropped in one task are reported together, right after the task', async () => {
  const reports: [string, number][] = []
  const { keeper } = setUp({ onDropped: (stream, events) => reports.push([stream, events]) })
  for (let i = 0; i < 1_000; i++) keeper.dropped('live', 1)
  keeper.dropped('bridge', 2)
  await Promise.resolve()
  assert.equal(reports, [
    ['live', 1_000],
    ['bridge', 2],
  ])
  keeper.dropped('live', 3)
  await Promise.resolve()
  assert.equal(reports.at(-1), ['live', 3])
})

test('a drain ends all streams and admits no more', () => {
  const { keeper } = setUp()
  const [sink, late] = [new FakeSink(), new FakeSink()]
  keeper.admit(from(ann), live)(sink)
  const open = keeper.admit(from(ann), live)
  keeper.drain()
  assert.ok(sink.ended)
  assert.is(
    codeOf(() => keeper.admit(from(ann), live)),
    'overloaded 503 5',
  )
  open(late)
  assert.ok(late.ended, 'admitted before the drain, opened after it')
  assert.is(keeper.size, 0)
})

test('a place is reserved at the admission, and freed also if no body is wanted', async () => {
  const { keeper } = setUp({ maxStreamsPerIdentity: 1 })
  const open = keeper.admit(from(ann), live)
  assert.is(
    codeOf(() => keeper.admit(from(ann), live)),
    'rate_limited 429 5',
  )
  open(closedSink)
  await Promise.resolve().then(() => undefined)
  assert.is(
    codeOf(() => keeper.admit(from(ann), live)),
    undefined,
  )
})

test.run()
