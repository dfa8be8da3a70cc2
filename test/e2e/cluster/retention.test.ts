/**
 * The ended runs that three nodes keep on a real NATS, while the nodes append at the same time and read all heads anew
 * at any moment.
 */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { NatsRunStore } from '../../../plugins/cluster/nats/run-store.ts'
import { noNats, startNats } from '../../../scripts/cluster/engines.ts'
import { runDefaults } from '../../support/run-defaults.ts'
import { testUnless } from '../../support/skip.ts'
import { until } from './rig.ts'
import { type RunNode, startRunNode } from './run-nodes.ts'

const test = suite('cluster: retention')

const owner = { user_id: 'ann', tenant_id: 'acme' }
const events = [
  { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
  { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
]

/** How often a node was made to read all heads anew, and whether the replays are over. */
const replays = { count: 0, isOver: false }

/** A store that writes the mark of a removed run only after a later replay has begun. */
class SlowMarks extends NatsRunStore {
  override async append(...given: Parameters<NatsRunStore['append']>): ReturnType<NatsRunStore['append']> {
    const { count } = replays
    while (given[0].gone && replays.count < count + 2 && !replays.isOver)
      await new Promise((resolve) => setTimeout(resolve, 5))
    return super.append(...given)
  }
}

testUnless(test, noNats, 'with three appenders exactly the newest 256 of 500 ended runs are kept', async () => {
  const engine = await startNats()
  const nodes = await Promise.all([0, 1, 2].map(() => startRunNode([engine.port], { Store: SlowMarks })))
  const [one] = nodes as [RunNode, ...RunNode[]]
  try {
    const last = { seq: 0 }
    const ended: { readonly run_id: string; readonly order: number }[] = []
    const append = async ({ runs }: RunNode): Promise<void> => {
      for (let mine = last.seq++; mine < 500; mine = last.seq++) {
        const run_id = `run-${mine}`
        await runs.create(owner, { run_id })
        await runs.append(owner, run_id, events)
        ended.push({ run_id, order: ended.length })
        if (mine % 10 !== 0) continue
        nodes[mine % 3]!.store.renew()
        replays.count++
      }
    }
    await Promise.all(nodes.map(append))
    replays.isOver = true
    const kept = async ({ runs }: RunNode): Promise<string[]> => (await runs.list(owner)).map(({ run_id }) => run_id)
    // Three appenders may end three runs at the same time, so the order of the oldest three kept runs is open.
    const surelyKept = ended.slice(-runDefaults.maxFinishedRuns + 3).map(({ run_id }) => run_id)
    for (const node of nodes) {
      await until(
        'no more runs are kept than allowed',
        async () => (await kept(node)).length <= runDefaults.maxFinishedRuns,
        60_000,
      )
      const there = await kept(node)
      assert.is(there.length, runDefaults.maxFinishedRuns)
      assert.equal(
        surelyKept.filter((run_id) => !there.includes(run_id)),
        [],
      )
      assert.equal(there.sort(), (await kept(one)).sort())
    }
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
    await engine.stop()
  }
})

test.run()
