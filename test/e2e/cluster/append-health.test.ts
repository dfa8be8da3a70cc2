/**
 * The health of appends that a node reports while NATS is connected: the stream is frozen, full, or has lost its
 * majority.
 */
import { connect } from '@nats-io/transport-node'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { purge } from '../../../plugins/cluster/nats/jetstream.ts'
import { logOf, RUNS } from '../../../plugins/cluster/nats/names.ts'
import { noNats, startNats } from '../../../scripts/cluster/engines.ts'
import { testUnless } from '../../support/skip.ts'
import { startNatsServers } from './nats-servers.ts'
import { until } from './rig.ts'
import { type RunNode, startRunNode } from './run-nodes.ts'

const test = suite('cluster: health of appends')

const owner = { user_id: 'ann', tenant_id: 'acme' }
const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }

/** Waits until a connected node reports this problem of appends, or no problem. */
async function seen(node: RunNode, problem: RegExp | undefined, limitMs: number): Promise<void> {
  const fits = async (): Promise<boolean> => {
    const { problem: reported } = node.store.health
    return problem === undefined
      ? reported === undefined
      : node.isConnected && reported !== undefined && problem.test(reported)
  }
  await until(String(problem), fits, limitMs).catch((error: unknown) => {
    throw new Error(`${error}; it says ${node.store.health.problem}`)
  })
}

testUnless(
  test,
  noNats,
  'a node reports a frozen NATS before NATS counts as away, and reports the recovery',
  async () => {
    const engine = await startNats()
    const node = await startRunNode([engine.port])
    try {
      await seen(node, undefined, 5_000)
      process.kill(engine.pid, 'SIGSTOP')
      await seen(node, /does not answer/, 10_000)
      process.kill(engine.pid, 'SIGCONT')
      await seen(node, undefined, 20_000)
      assert.is(node.store.health.silentMs, 0)
    } finally {
      await node.stop()
      await engine.stop()
    }
  },
)

testUnless(test, noNats, 'a node reports a full stream without any append', async () => {
  const engine = await startNats()
  const node = await startRunNode([engine.port], { numbers: { runsMaxBytes: 65_536 } })
  const nats = await connect({ servers: engine.url })
  try {
    await seen(node, undefined, 5_000)
    const fill = (): Promise<boolean> =>
      nats
        .request(logOf({ owner, run_id: 'large' }), 'x'.repeat(500))
        .then((answer) => 'error' in answer.json<object>())
    await until('the stream refuses more', fill, 10_000)
    await seen(node, /is full/, 10_000)
    assert.is(node.store.health.silentMs, 0, 'the node stays ready')
    await purge(nats, RUNS, logOf({ owner, run_id: 'large' }), Number.MAX_SAFE_INTEGER)
    await seen(node, undefined, 10_000)
  } finally {
    await nats.close()
    await node.stop()
    await engine.stop()
  }
})

testUnless(test, noNats, 'a node whose server runs reports a stream without a majority', async () => {
  const servers = await startNatsServers(3)
  const node = await startRunNode([servers[0]!.port], { replicas: 3 })
  try {
    await node.runs.create(owner, { run_id: 'r' })
    await node.runs.append(owner, 'r', [started])
    await seen(node, undefined, 20_000)
    await Promise.all([servers[1]!.kill(), servers[2]!.kill()])
    await seen(node, /has no majority/, 40_000)
    servers[1]!.start()
    await seen(node, undefined, 60_000)
  } finally {
    await node.stop()
    await Promise.all(servers.map((server) => server.stop()))
  }
})

test.run()
