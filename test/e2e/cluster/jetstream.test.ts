/** What is asked of JetStream, on a server of its own: what a request must not mean there. */
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ensureStream, lastMessage, purge } from '../../../plugins/cluster/nats/jetstream.ts'
import { type Engine, noNats, startNats } from '../../../scripts/cluster/engines.ts'
import { testUnless } from '../../support/skip.ts'

const test = suite('cluster: JetStream')

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

test.run()
