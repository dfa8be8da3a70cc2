/** Requests to a real JetStream server, and effects that they must not have. */
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock, systemRandom } from '../../../core/kernel/environment.ts'
import { BaseLog } from '../../../plugins/cluster/nats/base-log.ts'
import {
  ensureStream,
  JetStreamError,
  lastMessage,
  purge,
  refusal,
  streamInfo,
} from '../../../plugins/cluster/nats/jetstream.ts'
import { Lease } from '../../../plugins/cluster/nats/lease.ts'
import { ALL_BASES, ALL_RUNS, BASES, LEASE, RUNS } from '../../../plugins/cluster/nats/names.ts'
import { RunWriter } from '../../../plugins/cluster/nats/run-writer.ts'
import type { RunHead } from '../../../plugins/realtime/runs/shared/api.ts'
import { type Engine, noNats, startNats } from '../../../scripts/cluster/engines.ts'
import { HeldClock } from '../../support/held-clock.ts'
import { testUnless } from '../../support/skip.ts'

const test = suite('cluster: JetStream')

async function* pieces(...texts: string[]): AsyncGenerator<string> {
  yield* texts
}

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open!: () => void
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

let server: Engine
let nats: NatsConnection

test.before(async () => {
  if (noNats !== undefined) return
  server = await startNats()
  nats = await connect({ servers: server.url })
  await ensureStream(nats, { name: 'S', subjects: ['s.*'], max_bytes: 1_000_000, num_replicas: 1 })
})
test.after(async () => {
  await nats?.close()
  await server?.stop()
})

testUnless(
  test,
  noNats,
  'a purge removes only the messages before a position, also if the position is the first of its stream',
  async () => {
    const texts = async (): Promise<unknown[]> =>
      Promise.all(['s.a', 's.b'].map(async (subject) => (await lastMessage(nats, 'S', subject))?.text))
    await nats.request('s.a', 'one')
    for (const before of [0, 1]) {
      await purge(nats, 'S', 's.a', before)
      assert.equal(await texts(), ['one', undefined], `before ${before}`)
    }
    await nats.request('s.b', 'two')
    await purge(nats, 'S', 's.a', 2)
    assert.equal(await texts(), [undefined, 'two'])
    await purge(nats, 'S', 's.b', 2)
    assert.equal(await texts(), [undefined, 'two'])
    await purge(nats, 'S', 's.b', Number.MAX_SAFE_INTEGER)
    assert.equal(await texts(), [undefined, undefined])
  },
)

testUnless(
  test,
  noNats,
  'of two nodes that write the beginning of a log, none replaces a later beginning with an earlier one',
  async () => {
    await ensureStream(nats, { name: BASES, subjects: [ALL_BASES], max_bytes: 100_000_000, num_replicas: 1 })
    const [one, other] = [0, 1].map(
      () =>
        new BaseLog({
          clock: systemClock,
          randomBytes: systemRandom.bytes,
          link: { connection: nats, use: () => nats },
          onSkipped: assert.unreachable,
        }),
    ) as [BaseLog, BaseLog]
    const long = 'x'.repeat(300_000)
    for (const slow of [[''], [long], [long, long]]) {
      const run = { owner: { user_id: 'ann', tenant_id: 'acme' }, run_id: `after ${slow.length} of ${slow[0]!.length}` }
      const at = (sequence: number): { epoch: string; sequence: number } => ({ epoch: 'e', sequence })
      const begun = gate()
      const ahead = gate()
      const late = one
        .write(run, at(3), {
          async *[Symbol.asyncIterator]() {
            yield* slow
            begun.open()
            await ahead.opened
            yield 'late'
          },
        })
        .then(
          () => 'written',
          (error: unknown) => (error instanceof JetStreamError ? error.number : error),
        )
      await begun.opened
      await other.write(run, at(5), pieces('five'))
      ahead.open()
      assert.is(await late, refusal.wrongSequence)
      await one.write(run, at(4), pieces('four'))
      assert.equal(await other.read(run), { ...at(5), point: 'five' })
      await one.write(run, at(6), pieces(long, long, 'six'))
      assert.equal(await other.read(run), { ...at(6), point: `${long}${long}six` })
      await other.write(run, { epoch: 'another', sequence: 1 }, pieces('one'))
      assert.equal(await one.read(run), { epoch: 'another', sequence: 1, point: 'one' })
    }
  },
)

testUnless(
  test,
  noNats,
  'the lease passes to one of the others once its holder is silent for 30 s, and not before',
  async () => {
    await ensureStream(nats, {
      ...{ name: BASES, subjects: [ALL_BASES, LEASE], max_bytes: 100_000_000, num_replicas: 1 },
    })
    const clock = new HeldClock()
    const [one, other, third] = [0, 1, 2].map(
      () => new Lease({ clock, randomBytes: systemRandom.bytes, connection: () => nats }),
    ) as [Lease, Lease, Lease]
    const ask = (...leases: Lease[]): Promise<boolean[]> => Promise.all(leases.map((lease) => lease.ask()))
    assert.equal(await ask(one), [true])
    assert.equal(await ask(other, third), [false, false])
    await clock.advance(29_000)
    assert.equal(await ask(one), [true], 'its holder renews it')
    assert.equal(await ask(other, third), [false, false])
    await clock.advance(29_000)
    assert.equal(await ask(other, third), [false, false], 'not 30 s since the renewal')
    await clock.advance(1_000)
    const taken = await ask(other, third)
    assert.is(taken.filter(Boolean).length, 1, 'one of two that ask at once')
    assert.equal(await ask(one, other, third), [false, ...taken], 'the former holder has lost it')
  },
)

testUnless(test, noNats, 'settings of a stream by an operator or a later version are kept', async () => {
  const config = { name: 'KEPT', subjects: ['kept.*'], max_bytes: 20_000, num_replicas: 1 }
  await ensureStream(nats, config)
  const { config: made } = await streamInfo(nats, 'KEPT')
  const edited = { ...made, description: 'of the operator', max_bytes: 10_000 }
  await nats.request('$JS.API.STREAM.UPDATE.KEPT', JSON.stringify(edited))
  await ensureStream(nats, config)
  assert.equal((await streamInfo(nats, 'KEPT')).config, { ...edited, max_bytes: 20_000 })
})

testUnless(
  test,
  noNats,
  'what retention depends on is set in a stream that was made by hand, or refused in words',
  async () => {
    const config = { name: 'HAND', subjects: ['hand.*'], max_bytes: 20_000, num_replicas: 1 }
    const create = async (more: object): Promise<void> => {
      const answer = await nats.request('$JS.API.STREAM.CREATE.HAND', JSON.stringify({ ...config, ...more }))
      assert.is(answer.json<{ error?: unknown }>().error, undefined)
    }
    const remove = () => nats.request('$JS.API.STREAM.DELETE.HAND')
    for (const [more, changed] of [
      [{ max_msgs_per_subject: 1 }, 'max_msgs_per_subject'],
      [{ max_msgs_per_subject: 1, discard: 'new', discard_new_per_subject: true }, 'discard_new_per_subject'],
      [{ max_age: 1e9 }, 'max_age'],
      [{ max_msgs: 5 }, 'max_msgs'],
      [{ max_msg_size: 5 }, 'max_msg_size'],
      [{ no_ack: true }, 'no_ack'],
      [{ duplicate_window: 1e9 }, 'duplicate_window'],
    ] as const) {
      await create(more)
      assert.ok((await ensureStream(nats, config)).includes(changed), changed)
      assert.equal(await ensureStream(nats, config), [], 'nothing differs any more')
      await remove()
    }
    for (const [more, words] of [
      [{ storage: 'memory' }, 'the stream HAND has storage "memory" instead of "file"'],
      [{ retention: 'workqueue' }, 'retention "workqueue" instead of "limits"'],
      [{ deny_purge: true }, 'deny_purge true instead of false'],
    ] as const) {
      await create(more)
      assert.match(String(await ensureStream(nats, config).catch(String)), words)
      await remove()
    }
  },
)

testUnless(test, noNats, 'appends without an answer take no buffer space after the server has read them', async () => {
  const silent = nats.subscribe(ALL_RUNS)
  const refused: unknown[] = []
  const writer = new RunWriter({
    link: { connection: nats },
    clock: systemClock,
    onError: (error) => refused.push(error),
  })
  const head: RunHead = {
    id: 'an id',
    record: {
      ...{ run_id: 'silent', thread_id: 't', owner: { user_id: 'ann', tenant_id: 'acme' }, status: 'running' },
      ...{ created_at_ms: 0, ended_at_ms: null, first_seq: 1, last_seq: 1, epoch: 'e', agent: null, error: null },
    },
    bytes: 1,
    gone: false,
  }
  // Together the appends exceed the send buffer.
  const large = 'x'.repeat(700_000)
  const outcomes = new Set<string>()
  for (let n = 0; n < 60; n++) {
    outcomes.add((await writer.append(head, [large], 0, 5)).is)
    await nats.flush()
  }
  assert.equal([...outcomes], ['unknown'])
  silent.unsubscribe()
  assert.equal(refused, [])
})

testUnless(
  test,
  noNats,
  'a full stream refuses appends, but accepts the mark of a removed run, because the removed events make room',
  async () => {
    await ensureStream(nats, { name: RUNS, subjects: [ALL_RUNS], max_bytes: 20_000, num_replicas: 1 })
    const refused: unknown[] = []
    const writer = new RunWriter({
      link: { connection: nats },
      clock: systemClock,
      onError: (error) => refused.push((error as JetStreamError).number),
    })
    const head = (run_id: string, gone = false): RunHead => ({
      id: `${run_id} ${gone} ${Math.random()}`,
      record: {
        ...{ run_id, thread_id: 't', owner: { user_id: 'ann', tenant_id: 'acme' }, status: 'finished' },
        ...{ created_at_ms: 0, ended_at_ms: 1, first_seq: 1, last_seq: 1, epoch: 'e', agent: null, error: null },
      },
      bytes: 1,
      gone,
    })
    const positions = new Map<string, number>()
    // Fills the stream, then fills the rest with events that are smaller than a mark.
    for (const text of ['x'.repeat(300), '']) {
      let is = 'written'
      for (let n = 0; is === 'written'; n++) {
        const run = `run ${n % 2}`
        const done = await writer.append(head(run), [text], positions.get(run) ?? 0)
        is = done.is
        if (done.is === 'written') positions.set(run, done.position)
      }
      assert.equal([is, refused.splice(0)], ['refused', [refusal.storeFailed]])
    }
    assert.ok([...positions.values()].every((position) => position > 4))
    assert.is((await writer.append(head('run 0', true), [], positions.get('run 0')!)).is, 'written')
    assert.equal(refused, [refusal.storeFailed], 'the mark found no room at first')
    assert.is((await writer.append(head('run 1'), ['x'.repeat(300)], positions.get('run 1')!)).is, 'written')
  },
)

test.run()
