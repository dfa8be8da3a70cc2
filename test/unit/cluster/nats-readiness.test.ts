/** The readiness of a node while NATS is away: the check fails at once, and after a while the node is not ready. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { plugin as nats } from '../../../plugins/cluster/nats/plugin.ts'
import { plugin as probes } from '../../../plugins/probes/plugin.ts'
import { noNats, startNats } from '../../../scripts/cluster/engines.ts'
import { HeldClock } from '../../support/held-clock.ts'
import { compose, keepLog } from '../../support/kernels.ts'
import { bodyOf, makeRequest } from '../../support/requests.ts'
import { testUnless } from '../../support/skip.ts'

const test = suite('cluster: readiness without NATS')

testUnless(test, noNats, 'a node reports at once that NATS is away, and is not ready after 30 s', async () => {
  const engine = await startNats()
  const clock = new HeldClock()
  const kernel = compose([probes, nats], {
    ...{ environment: { clock }, log: keepLog() },
    given: { cluster: { nats_url: engine.url } },
  })
  await kernel.start()
  try {
    const report = async (): Promise<unknown[]> => {
      const reply = await kernel.surface('runtime').handle(makeRequest('/readyz'))
      const { checks } = bodyOf(reply) as { checks: Record<string, { status: string }> }
      return [reply.status, checks['nats']!.status]
    }
    assert.equal(await report(), [200, 'ok'])
    await engine.kill()
    // The clock of the node does not move meanwhile.
    for (const since = performance.now(); (await report())[1] === 'ok'; ) {
      assert.ok(performance.now() - since < 10_000, 'the check reports it')
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await clock.advance(29_000)
    assert.equal(await report(), [200, 'failed'])
    await clock.advance(2_000)
    assert.equal(await report(), [503, 'failed'])
  } finally {
    await kernel.stop()
    await engine.stop()
  }
})

test.run()
