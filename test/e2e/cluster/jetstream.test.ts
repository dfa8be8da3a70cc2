/** What is asked of JetStream, on a server of its own: what a request must not mean there. */
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock, systemRandom } from '../../../core/environment.ts'
import { BaseLog } from '../../../plugins/cluster/nats/base-log.ts'
import { ensureStream, JetStreamError, lastMessage, purge, refusal } from '../../../plugins/cluster/nats/jetstream.ts'
import { ALL_BASES, BASES } from '../../../plugins/cluster/nats/names.ts'
import { type Engine, noNats, startNats } from '../../../scripts/cluster/engines.ts'
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
  'what is before a message is removed, and nothing else: also where it is the first of its stream',
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
  'of two nodes that write where a log begins, none puts back what the other let go',
  async () => {
    await ensureStream(nats, { name: BASES, subjects: [ALL_BASES], max_bytes: 100_000_000, num_replicas: 1 })
    const [one, other] = [0, 1].map(
      () =>
        new BaseLog({
          clock: systemClock,
          randomBytes: systemRandom.bytes,
          connection: () => nats,
          onError: (error) => assert.unreachable(String(error)),
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

test.run()
