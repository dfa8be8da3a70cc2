/** Runs the realtime test suites for one service on three nodes. Each request goes to the next node. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { feature as nats } from '../../../plugins/cluster/nats/feature.ts'
import { feature as probes } from '../../../plugins/probes/feature.ts'
import { noNats, startNats } from '../../../scripts/cluster/engines.ts'
import { joinNodes } from '../../support/nodes.ts'
import { skip } from '../../support/skip.ts'
import { untold } from './one-node.ts'

const test = suite('cluster: realtime suites on three nodes')

/** The maximum number of services. Each service has a separate account, so the services do not share data. */
const SERVICES = 400

if (noNats === undefined) {
  const engine = await startNats(SERVICES)
  let service = 0
  joinNodes({
    count: 3,
    plugins: [probes, nats],
    settings: async () => ({ 'cluster.nats_url': `nats://u${service++}:p@127.0.0.1:${engine.port}` }),
  })
  await import('./realtime-suites.ts')
  test('docs/cluster.md gives the reason of each skipped test', () => assert.equal(untold(), []))
  test('the suites ran on services of several nodes', () =>
    assert.ok(service > 0 && service <= SERVICES, `${service} of them`))
  test.after(() => engine.stop())
} else skip(test, 'cluster: realtime suites on three nodes', noNats)

test.run()
