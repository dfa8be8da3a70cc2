/**
 * Both engines end and come back at once: a node takes runs as soon as it says that it is ready, and shortly after the
 * engines answer.
 */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { tokenFor } from '../../conformance/caller.ts'
import { countOf } from '../../support/count.ts'
import { testUnless } from '../../support/skip.ts'
import { type Cluster, noCluster, startCluster, until } from './rig.ts'

const test = suite('cluster: both engines are back')

const ROUNDS = countOf({ quick: 2, deep: 10 })

/**
 * How long a node may take after both engines answer, on a busy machine with a slow disk, in milliseconds: less than
 * the 30 s after which a heartbeat is missed, so a node that waits for that does not pass.
 */
const BACK_MS = 20_000

const NODES = [0, 1]

const create = async (cluster: Cluster, as: string, node: number, run_id: string) =>
  cluster.send('/api/svc/runs', { method: 'POST', as, node, body: { run_id } })

testUnless(test, noCluster, `a run can be created as soon as a node is ready again, ${ROUNDS} times`, async () => {
  const cluster = await startCluster(NODES.length)
  try {
    const as = tokenFor({ user: 'ann', tenant: 'acme' })
    // A node stays ready for 30 s after NATS went away, because it can serve the runs in its memory.
    const isReady = async (node: number): Promise<boolean> => {
      const { status, body } = await cluster.send('/readyz', { node })
      const checks = Object.values(body['checks'] as Record<string, { status: string }>)
      return status === 200 && checks.every((check) => check.status === 'ok')
    }
    assert.is((await create(cluster, as, 0, 'before')).status, 201)
    for (let round = 0; round < ROUNDS; round++) {
      const engines = [cluster.postgres, cluster.nats]
      await Promise.all(engines.map((engine) => engine.kill()))
      for (const node of NODES) await until('it is away', async () => !(await isReady(node)), 60_000)
      await Promise.all(engines.map((engine) => engine.start()))
      await Promise.all(
        NODES.map(async (node) => {
          await until(
            `node ${node} creates a run`,
            async () => {
              const wasReady = await isReady(node)
              const { status, body } = await create(cluster, as, node, `run-${round}-${node}`)
              if (status === 201) return true
              assert.is(status, 503, JSON.stringify(body))
              assert.not.ok(wasReady, `node ${node} was ready, and refused: ${JSON.stringify(body)}`)
              return false
            },
            BACK_MS,
          )
        }),
      )
    }
  } finally {
    await cluster.stop()
  }
})

test.run()
