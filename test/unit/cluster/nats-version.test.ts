/** NATS versions that cannot keep several copies of the runs: a node is not ready, and says why. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { feature as nats } from '../../../plugins/cluster/nats/feature.ts'
import { FIRST_SAFE, isOld } from '../../../plugins/cluster/nats/server-version.ts'
import { feature as probes } from '../../../plugins/probes/feature.ts'
import { natsVersion, noNats, startNats } from '../../../scripts/cluster/engines.ts'
import { until } from '../../../scripts/until.ts'
import { compose, keepLog, make } from '../../support/kernels.ts'
import { makeRequest } from '../../support/requests.ts'
import { testUnless } from '../../support/skip.ts'

const test = suite('cluster: the version of NATS')

/** A plugin that has runs in the store, as `realtime.runs` has. */
const runs = make('runs', {
  requires: ['RunStore'],
  setup: (ctx) =>
    ctx
      .use('RunStore')
      ?.watch({ begin: () => undefined, head: () => undefined, complete: () => undefined, oldest: 1 }, 65_536),
})

test('versions before the first fixed version are old', () => {
  const old = ['2.9.10', '2.10.9', '2.10.11', 'v2.10.11', '1.4.1', '2.10.11-RC.1']
  const right = [FIRST_SAFE, '2.10.13', '2.11.0', '3.0.0', 'v2.12.1', '2.14.0-dev']
  for (const version of old) assert.ok(isOld(version), version)
  for (const version of [...right, undefined, '', 'custom']) assert.not(isOld(version), version)
})

testUnless(
  test,
  noNats,
  'a node whose NATS answers and cannot keep several copies is not ready, and says why, not that NATS is away',
  async () => {
    const engine = await startNats()
    const log = keepLog()
    const kernel = compose([probes, nats, runs], { log, given: { cluster: { nats_url: engine.url, replicas: 3 } } })
    await kernel.start()
    try {
      const isSaid = async (): Promise<boolean> => log.records.some(({ message }) => message.includes('cannot be used'))
      await until('the reason is logged', isSaid, 60_000)
      assert.is((await kernel.surface('runtime').handle(makeRequest('/readyz'))).status, 503)
      const errors = log.records.filter(({ message }) => message === 'A readiness check failed.')
      const reasons = errors.map(({ fields = {} }) => (fields['error'] as Error).message)
      const why = isOld(natsVersion())
        ? `needs nats-server ${FIRST_SAFE} or later, and this one is`
        : 'JetStream: replicas > 1'
      assert.is(reasons.length, 2)
      for (const reason of reasons) assert.match(reason, why)
      assert.equal(
        log.records.filter(({ message }) => message.includes('NATS is away')),
        [],
      )
    } finally {
      await kernel.stop()
      await engine.stop()
    }
  },
)

test.run()
