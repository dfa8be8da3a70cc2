/**
 * One tenant publishes as much as possible, and another tenant publishes through the same node. Both are read on
 * another node.
 */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { noNats, startNats } from '../../../scripts/cluster/engines.ts'
import { testUnless } from '../../support/skip.ts'
import { until } from './rig.ts'
import { startRunNode } from './run-nodes.ts'

const test = suite('cluster: fairness')

/**
 * The number of events that are published in one turn of the event loop, and their size. Together they exceed the queue
 * to NATS.
 */
const FLOOD = 20_000
const EVENT_BYTES = 1_024

/**
 * The events of the flood that may arrive first: 1 MiB under way, 64 KiB of one turn, and a reserve for their
 * envelopes.
 */
const AHEAD = 1_200

/** How long the events may take, also on a busy machine, in milliseconds. */
const ARRIVED_MS = 60_000

testUnless(
  test,
  noNats,
  'at most 1 MiB of earlier events of one tenant arrives before an event of another tenant',
  async () => {
    const engine = await startNats()
    const nodes = await Promise.all([startRunNode([engine.port]), startRunNode([engine.port])])
    try {
      const [{ bus: near }, { bus: far }] = nodes
      const arrived = { loud: 0, quiet: 0, ahead: 0, lost: 0, quietLost: 0 }
      const loud = far.subscribe('loud', {
        event: () => void arrived.loud++,
        lost: () => void arrived.lost++,
      })
      const quiet = far.subscribe('quiet', {
        event: () => {
          arrived.quiet++
          arrived.ahead = arrived.loud
        },
        lost: () => void arrived.quietLost++,
      })
      await Promise.all([loud.ready, quiet.ready])
      const event = { topic: 'todos', bytes: Buffer.from(`data: ${'x'.repeat(EVENT_BYTES - 8)}\n\n`) }
      let accepted = 0
      for (let n = 0; n < FLOOD; n++) if (near.publish('loud', event)) accepted++
      assert.ok(near.publish('quiet', event), 'the quiet tenant has room')
      await until(
        'all accepted events arrive',
        async () => arrived.quiet === 1 && arrived.loud === accepted,
        ARRIVED_MS,
      )
      assert.is(arrived.quietLost, 0, 'no event of the quiet tenant is missing')
      assert.ok(accepted > 5 * AHEAD, `${accepted} events were accepted`)
      assert.ok(arrived.ahead < AHEAD, `${arrived.ahead} events were ahead`)
      assert.ok(near.publish('loud', event))
      await until('the next event arrives', async () => arrived.loud === accepted + 1, ARRIVED_MS)
      assert.is(arrived.lost, 1, 'the reader of the flood gets one notice of missing events')
    } finally {
      await Promise.all(nodes.map((node) => node.stop()))
      await engine.stop()
    }
  },
)

test.run()
