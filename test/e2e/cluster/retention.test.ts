/** Which ended runs three nodes keep on a real NATS, while they append at once and read everything anew at any moment. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock, systemRandom } from '../../../core/environment.ts'
import { LogHub } from '../../../core/log.ts'
import { Link } from '../../../plugins/cluster/nats/link.ts'
import { NatsRunStore } from '../../../plugins/cluster/nats/run-store.ts'
import { ownNames } from '../../../plugins/realtime/own-names.ts'
import { type RunNumbers, runSettings } from '../../../plugins/realtime/runs/settings.ts'
import { SharedRuns } from '../../../plugins/realtime/runs/shared/shared-runs.ts'
import { noNats, startNats } from '../../../scripts/cluster/engines.ts'
import { testUnless } from '../../support/skip.ts'
import { until } from './rig.ts'

const test = suite('cluster: retention')

const owner = { user_id: 'ann', tenant_id: 'acme' }
const events = [
  { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
  { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
]

const defaults = ownNames(
  Object.fromEntries(Object.entries(runSettings).map(([key, setting]) => [key, setting.default])),
) as unknown as RunNumbers

/** How often a node was made to read all heads anew, and whether that is over. */
const replays = { count: 0, isOver: false }

/** A store in which the mark of a removed run is written only after a replay began behind the removal. */
class SlowMarks extends NatsRunStore {
  override async append(...given: Parameters<NatsRunStore['append']>): ReturnType<NatsRunStore['append']> {
    const { count } = replays
    while (given[0].gone && replays.count < count + 2 && !replays.isOver)
      await new Promise((resolve) => setTimeout(resolve, 5))
    return super.append(...given)
  }
}

interface Node {
  readonly runs: SharedRuns
  /** Reads the heads of all runs anew, as after a broken connection. */
  renew(): void
  stop(): Promise<void>
}

async function startNode(port: number): Promise<Node> {
  const { bytes: randomBytes } = systemRandom
  const link: Link = new Link({
    address: { servers: [`127.0.0.1:${port}`] },
    clock: systemClock,
    prepare: (nats) => store.prepare(nats),
    onHere: () => store.renew(),
    onAway: () => undefined,
  })
  const store = new SlowMarks({
    ...{ link, clock: systemClock, randomBytes, replicas: 1 },
    onAppend: () => undefined,
    onError: () => undefined,
  })
  const runs = new SharedRuns(store, new LogHub(systemClock.now).logger('test'), {
    ...{ ...defaults, clock: systemClock, randomBytes },
    soon: (run) => void setImmediate(run),
  })
  await link.start(10_000)
  return {
    runs,
    renew: () => store.renew(),
    stop: async () => {
      runs.close()
      store.stop()
      await link.stop()
    },
  }
}

testUnless(test, noNats, 'with three appenders, the newest 256 of 500 ended runs are kept, exactly', async () => {
  const engine = await startNats()
  const nodes = await Promise.all([0, 1, 2].map(() => startNode(engine.port)))
  const [one] = nodes as [Node, ...Node[]]
  try {
    const last = { seq: 0 }
    const ended: { readonly run_id: string; readonly order: number }[] = []
    const append = async ({ runs }: Node): Promise<void> => {
      for (let mine = last.seq++; mine < 500; mine = last.seq++) {
        const run_id = `run-${mine}`
        await runs.create(owner, { run_id })
        await runs.append(owner, run_id, events)
        ended.push({ run_id, order: ended.length })
        if (mine % 10 !== 0) continue
        nodes[mine % 3]!.renew()
        replays.count++
      }
    }
    await Promise.all(nodes.map(append))
    replays.isOver = true
    const kept = async ({ runs }: Node): Promise<string[]> => (await runs.list(owner)).map(({ run_id }) => run_id)
    // What is missing may only be as old as what it made room for: three appenders end three runs at one time.
    const surelyKept = ended.slice(-defaults.maxFinishedRuns + 3).map(({ run_id }) => run_id)
    for (const node of nodes) {
      await until(
        'as many are kept as may be',
        async () => (await kept(node)).length <= defaults.maxFinishedRuns,
        10_000,
      )
      const there = await kept(node)
      assert.is(there.length, defaults.maxFinishedRuns)
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
