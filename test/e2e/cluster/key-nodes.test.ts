/** Runs the test suites of API keys for one service on three nodes. Each request goes to the next node. */
import postgres from 'postgres'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { feature as keys } from '../../../plugins/cluster/postgres/feature.ts'
import { noPostgres, startPostgres } from '../../../scripts/cluster/engines.ts'
import { joinNodes } from '../../support/nodes.ts'
import { skip } from '../../support/skip.ts'
import { untold } from './one-node.ts'

const test = suite('cluster: keys on three nodes')

if (noPostgres === undefined) {
  const engine = await startPostgres()
  const admin = postgres(engine.url, { max: 1, onnotice: () => undefined })
  let service = 0
  joinNodes({
    count: 3,
    plugins: [keys],
    settings: async () => {
      const name = `svc_${service++}`
      await admin.unsafe(`create database ${name}`)
      return {
        'cluster.postgres_url': engine.url.replace(/svc$/, name),
        'cluster.postgres_timeout_ms': 10_000,
        'security.exchange_secret': 'a secret that the nodes of the suites share, long enough',
      }
    },
  })
  await import('./key-suites.ts')
  test('docs/cluster.md gives the reason of each skipped test', () => assert.equal(untold(), []))
  test('the suites ran on services of several nodes', () => assert.ok(service > 0))
  test.after(async () => {
    await admin.end()
    await engine.stop()
  })
} else skip(test, 'cluster: keys on three nodes', noPostgres)

test.run()
