/** NATS versions whose elections stop appends for seconds: a node warns once if its runs have several copies. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { plugin as nats } from '../../../plugins/cluster/nats/plugin.ts'
import { FIRST_SAFE, isOld } from '../../../plugins/cluster/nats/server-version.ts'
import { plugin as probes } from '../../../plugins/probes/plugin.ts'
import { noNats, startNats } from '../../../scripts/cluster/engines.ts'
import { compose, keepLog } from '../../support/kernels.ts'
import { testUnless } from '../../support/skip.ts'

const test = suite('cluster: the version of NATS')

test('versions before the first fixed version are old', () => {
  const old = ['2.9.10', '2.10.9', '2.10.11', 'v2.10.11', '1.4.1', '2.10.11-RC.1']
  const right = [FIRST_SAFE, '2.10.13', '2.11.0', '3.0.0', 'v2.12.1', '2.14.0-dev']
  for (const version of old) assert.ok(isOld(version), version)
  for (const version of [...right, undefined, '', 'custom']) assert.not(isOld(version), version)
})

testUnless(test, noNats, 'an old server gives a warning with several copies, and none with one copy', async () => {
  const engine = await startNats()
  try {
    for (const replicas of [1, 3]) {
      const log = keepLog()
      const kernel = compose([probes, nats], { log, given: { cluster: { nats_url: engine.url, replicas } } })
      await kernel.start()
      await kernel.stop()
      const connected = log.records.find(({ message }) => message === 'NATS is connected.')
      assert.ok(connected !== undefined, 'connected')
      const warned = log.records.filter(({ message }) => message.includes(FIRST_SAFE))
      const version = warned[0]?.fields?.['version']
      assert.is(warned.length, replicas === 1 || version === undefined ? 0 : 1)
      if (version !== undefined) assert.ok(isOld(String(version)))
    }
  } finally {
    await engine.stop()
  }
})

test.run()
