/**
 * The health of appends that a node reports while NATS is connected: the stream is frozen, full, or has lost its
 * majority.
 */
import { connect } from '@nats-io/transport-node'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SvcError } from '../../../core/declare/errors.ts'
import { purge } from '../../../plugins/cluster/nats/jetstream.ts'
import { logOf, RUNS } from '../../../plugins/cluster/nats/names.ts'
import { noNats, startNats } from '../../../scripts/cluster/engines.ts'
import type { NatsServer } from '../../../scripts/cluster/nats-server.ts'
import { measureLoopDelay } from '../../support/loop-delay.ts'
import { testUnless } from '../../support/skip.ts'
import { startNatsServers } from './nats-servers.ts'
import { waitForServers } from './old-servers.ts'
import { until } from './rig.ts'
import { type RunNode, startRunNode } from './run-nodes.ts'

const test = suite('cluster: health of appends')

const owner = { user_id: 'ann', tenant_id: 'acme' }
const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const said = { type: 'CUSTOM', name: 'x', value: null }

/** How long anything may take here, on a busy machine, in milliseconds. */
const LIMIT_MS = 60_000

/** What an append to the run `r` is answered with. */
const append = ({ runs }: RunNode): Promise<string> =>
  Promise.resolve(runs.append(owner, 'r', [said])).then(
    () => 'written',
    (error: unknown) => (error instanceof SvcError ? error.code : String(error)),
  )

/** Begins the run `r`, which has one event then. Servers that have just started may have no leader yet. */
async function begin({ runs }: RunNode): Promise<void> {
  const create = async (): Promise<boolean> => {
    try {
      await runs.create(owner, { run_id: 'r' })
      return true
    } catch (error) {
      if (error instanceof SvcError && error.code === 'overloaded') return false
      throw error
    }
  }
  await until('the run is created', create, LIMIT_MS)
  await runs.append(owner, 'r', [started])
}

/** How many events of the run `r` a new reader gets. */
async function readable({ runs }: RunNode): Promise<number> {
  const ring = (await runs.find(owner, 'r', true))?.feed.ring
  return ring === undefined ? 0 : ring.next - ring.base
}

/** Waits until a connected node reports this problem of appends, or no problem. */
async function waitForProblem(node: RunNode, problem: RegExp | undefined): Promise<void> {
  const fits = async (): Promise<boolean> => {
    const { problem: reported } = node.store.health
    return problem === undefined
      ? reported === undefined
      : node.isConnected && reported !== undefined && problem.test(reported)
  }
  await until(String(problem), fits, LIMIT_MS).catch((error: unknown) => {
    throw new Error(`${error}; it says ${node.store.health.problem}`)
  })
}

/** Waits until appends are written. A server that may stay behind after its start is restarted. */
async function waitForAppends(node: RunNode, server: NatsServer): Promise<void> {
  let answer = ''
  const isWritten = async (): Promise<boolean> => {
    answer = await append(node)
    return answer === 'written'
  }
  await waitForServers(
    LIMIT_MS,
    (limitMs) => until('appends are written', isWritten, limitMs),
    () => server,
  ).catch((error: unknown) => {
    throw new Error(`${error}; the last answer is ${answer}: ${node.store.health.problem}\n${server.log}`)
  })
}

testUnless(
  test,
  noNats,
  'a full stream is reported without any append: appends are refused, and reading goes on',
  async () => {
    const engine = await startNats()
    const node = await startRunNode([engine.port], { numbers: { runsMaxBytes: 65_536 } })
    const nats = await connect({ servers: engine.url })
    const other = await startRunNode([engine.port], { numbers: { runsMaxBytes: 65_536 } })
    try {
      await waitForProblem(node, undefined)
      await begin(node)
      const isRefused = (): Promise<boolean> =>
        nats
          .request(logOf({ owner, run_id: 'large' }), 'x'.repeat(500))
          .then((answer) => 'error' in answer.json<object>())
      for (let n = 0; !(await isRefused()); n++) assert.ok(n < 1_000, 'the stream is not full')
      await waitForProblem(node, /is full/)
      assert.is(node.store.health.silentMs, 0, 'the node stays ready')
      for (const one of [node, other]) {
        assert.is(await append(one), 'overloaded')
        assert.is(await readable(one), 1)
      }
      await purge(nats, RUNS, logOf({ owner, run_id: 'large' }), Number.MAX_SAFE_INTEGER)
      await until('appends are written', async () => (await append(node)) === 'written', LIMIT_MS)
      await waitForProblem(node, undefined)
    } finally {
      await nats.close()
      await Promise.all([node.stop(), other.stop()])
      await engine.stop()
    }
  },
)

testUnless(
  test,
  noNats,
  'if another stream fills the storage of NATS, appends are refused and reading goes on',
  async () => {
    const engine = await startNats(0, 2_097_152)
    const node = await startRunNode([engine.port], { numbers: { runsMaxBytes: 65_536 } })
    const nats = await connect({ servers: engine.url })
    try {
      await waitForProblem(node, undefined)
      await begin(node)
      const other = { name: 'OTHER', subjects: ['other'], retention: 'limits', storage: 'file' }
      await nats.request('$JS.API.STREAM.CREATE.OTHER', JSON.stringify(other))
      const fill = async (): Promise<boolean> =>
        'error' in (await nats.request('other', 'x'.repeat(200_000))).json<object>()
      await until('NATS stores no more', fill, LIMIT_MS)
      assert.is(await append(node), 'overloaded')
      assert.is(await readable(node), 1)
      await waitForProblem(node, /the newest append was not acknowledged/)
      assert.is(node.store.health.silentMs, 0, 'the node stays ready')
      await nats.request('$JS.API.STREAM.DELETE.OTHER')
      await until('appends are written', async () => (await append(node)) === 'written', LIMIT_MS)
      await waitForProblem(node, undefined)
    } finally {
      await nats.close()
      await node.stop()
      await engine.stop()
    }
  },
)

testUnless(test, noNats, 'a node whose server runs reports a stream without a majority', async () => {
  const servers = await startNatsServers(3)
  const node = await startRunNode([servers[0]!.port], { replicas: 3 })
  try {
    await begin(node)
    await waitForProblem(node, undefined)
    await Promise.all([servers[1]!.kill(), servers[2]!.kill()])
    const since = performance.now()
    const loop = measureLoopDelay()
    const code = await append(node)
    const ms = performance.now() - since
    assert.ok(['overloaded', 'append_unknown'].includes(code), code)
    assert.ok(ms < 5_000 + loop.maxMs, `${code} after ${ms} ms, in a process that was ${loop.maxMs} ms late`)
    await waitForProblem(node, /has no majority/)
    assert.ok(node.store.health.silentMs > 0, 'it counts as silence, which makes a node not ready after 30 s')
    assert.is(await readable(node), 1)
    servers[1]!.start()
    await waitForAppends(node, servers[1]!)
    await waitForProblem(node, undefined)
  } finally {
    await node.stop()
    await Promise.all(servers.map((server) => server.stop()))
  }
})

test.run()
