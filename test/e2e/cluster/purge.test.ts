/** An operator removes all or the oldest messages of the runs. The affected runs disappear on every node. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { SvcError } from '../../../core/declare/errors.ts'
import { RUNS } from '../../../plugins/cluster/nats/names.ts'
import type { OpenStream } from '../../../plugins/realtime/streams/api.ts'
import { noNats, startNats } from '../../../scripts/cluster/engines.ts'
import { testUnless } from '../../support/skip.ts'
import { until } from './rig.ts'
import { type RunNode, startRunNode } from './run-nodes.ts'

const test = suite('cluster: purge')

const owner = { user_id: 'ann', tenant_id: 'acme' }
const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const said = { type: 'CUSTOM', name: 'x', value: null }

/** Opens a stream of a run on a node, as its route does. */
async function open({ runs }: RunNode, run_id: string): Promise<{ readonly isOver: boolean }> {
  const run = await runs.find(owner, run_id, false)
  assert.ok(run)
  const reading = { isOver: false }
  const onClose: (() => void)[] = []
  const reader: OpenStream = {
    ...{ blocked: false, closed: false, interrupted: false, ready: true },
    send: () => true,
    sendFirst: () => undefined,
    caughtUp: () => Promise.resolve(),
    onResume: () => undefined,
    onClose: (listener) => void onClose.push(listener),
    interrupt: () => reader.end(),
    end: () => {
      reading.isOver = true
      for (const listener of onClose) listener()
    },
  }
  runs.hold(run, reader)
  return reading
}

testUnless(
  test,
  noNats,
  'runs whose messages an operator removed are 404 on each node and their streams end, others stay, and their names are free',
  async () => {
    const engine = await startNats()
    const nodes = await Promise.all([0, 1].map(() => startRunNode([engine.port])))
    const [one, other] = nodes as [(typeof nodes)[0], (typeof nodes)[0]]
    try {
      for (const run_id of ['first', 'second']) {
        await one.runs.create(owner, { run_id })
        await one.runs.append(owner, run_id, [started])
        await other.runs.append(owner, run_id, [said])
      }
      const listed = (): Promise<string[][]> =>
        Promise.all(nodes.map(async ({ runs }) => (await runs.list(owner)).map(({ run_id }) => run_id).sort()))
      assert.equal(await listed(), [
        ['first', 'second'],
        ['first', 'second'],
      ])
      const append = (node: number, run_id: string): Promise<string> =>
        Promise.resolve(nodes[node]!.runs.append(owner, run_id, [said])).then(
          () => 'written',
          (error: unknown) => (error as SvcError).code,
        )
      const purge = (body: object) => one.connection!.request(`$JS.API.STREAM.PURGE.${RUNS}`, JSON.stringify(body))

      const streams = async (run_id: string) => Promise.all(nodes.map((node) => open(node, run_id)))
      const [ofFirst, ofSecond] = [await streams('first'), await streams('second')]
      const ended = (readings: typeof ofFirst): number => readings.filter(({ isOver }) => isOver).length

      // As `nats stream purge SVC_RUNS --seq 4` does: the three messages of the first run.
      await purge({ seq: 4 })
      await until('the first is gone', async () => (await listed()).every(([run_id]) => run_id === 'second'), 60_000)
      await until('its streams end on both nodes', async () => ended(ofFirst) === 2, 60_000)
      assert.is(ended(ofSecond), 0)
      assert.equal(await append(0, 'first'), 'not_found')
      assert.equal([await append(0, 'second'), await append(1, 'second')], ['written', 'written'])

      await purge({})
      await until('all are gone', async () => (await listed()).every(({ length }) => length === 0), 60_000)
      await until('their streams end on both nodes', async () => ended(ofSecond) === 2, 60_000)
      for (const node of [0, 1]) assert.is(await append(node, 'second'), 'not_found')
      await until(
        'the run is created again',
        () =>
          one.runs.create(owner, { run_id: 'second' }).then(
            () => true,
            () => false,
          ),
        60_000,
      )
      await other.runs.append(owner, 'second', [started])
      assert.is((await one.runs.get(owner, 'second'))?.last_seq, 1)
    } finally {
      await Promise.all(nodes.map((node) => node.stop()))
      await engine.stop()
    }
  },
)

test.run()
