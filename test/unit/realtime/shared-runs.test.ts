/** Runs of several nodes on a store that the test controls: removed runs, and logs with foreign or missing messages. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { RunRecord } from '../../../plugins/realtime/runs/api.ts'
import type { RunAppended } from '../../../plugins/realtime/runs/shared/api.ts'
import type { SharedRuns } from '../../../plugins/realtime/runs/shared/shared-runs.ts'
import { HeldClock, settle } from '../../support/held-clock.ts'
import { MemoryRuns, type NodeStore } from '../../support/memory-run-store.ts'
import { runDefaults } from '../../support/run-defaults.ts'
import { codeOf } from '../../support/throws.ts'
import { finished, framesOf, owner, said, started, storedRuns } from './stored-runs.ts'

const run_id = 'r'
const name = { owner, run_id }

/** The time until an ended run is removed, and the period of the checks, in milliseconds. */
const TTL = 60_000
const ROUND = 10_000

interface Node {
  readonly runs: SharedRuns
  readonly store: NodeStore
  readonly list: () => Promise<string[]>
}

const open: SharedRuns[] = []

/** Nodes on one store. The first node removes ended runs. */
function cluster(count: number, numbers: Partial<typeof runDefaults> = {}) {
  const clock = new HeldClock()
  const shared = new MemoryRuns()
  const nodes = Array.from({ length: count }, (): Node => {
    const store = shared.node()
    const runs = storedRuns(store, clock, { finishedRunTtlMs: TTL, ...numbers })
    open.push(runs)
    return { runs, store, list: async () => (await runs.list(owner)).map((one) => one.run_id) }
  })
  return { clock, shared, nodes: nodes as unknown as readonly [Node, Node, ...Node[]] }
}

test.after.each(() => {
  for (const runs of open.splice(0)) runs.close()
})

/** Counts calls, and how many were under way at a time at most. */
function counter() {
  let now = 0
  const counted = {
    all: 0,
    most: 0,
    during: async <T>(work: () => Promise<T>): Promise<T> => {
      counted.all++
      counted.most = Math.max(counted.most, ++now)
      await settle()
      return work().finally(() => now--)
    },
  }
  return counted
}

async function makeEnded({ runs }: Node): Promise<RunRecord> {
  await runs.create(owner, { run_id })
  return runs.append(owner, run_id, [started, finished])
}

test('the first node removes an ended run, and it disappears on every other node', async () => {
  const { clock, shared, nodes } = cluster(3)
  await makeEnded(nodes[1])
  await clock.advance(TTL - ROUND)
  for (const node of nodes) assert.equal(await node.list(), [run_id])
  await clock.advance(2 * ROUND)
  for (const node of nodes) assert.equal(await node.list(), [])
  assert.equal(
    shared.log(name).map(({ head, events }) => [head?.gone, events.length]),
    [[true, 0]],
  )
  // The mark is removed after every node has seen it.
  await clock.advance(60_000 + 2 * ROUND)
  assert.equal(shared.log(name), [])
})

test('removed runs count as memory of their owner on every node until their marks are erased', async () => {
  const { clock, shared, nodes } = cluster(2, { runsMaxBytes: 1_000_000, maxFinishedRuns: 0 })
  let ended = 0
  const endOne = async (who: typeof owner): Promise<string> => {
    const id = `r${ended}`
    const { runs } = nodes[ended % 2]!
    const code = await codeOf(async () => {
      await runs.create(who, { run_id: id })
      await runs.append(who, id, [started, finished])
    })
    if (code === 'taken') ended++
    return code
  }
  for (let last = 'taken'; last === 'taken' && ended < 1_000; ) last = await endOne(owner)
  assert.ok(ended > 100 && ended < 250, `a quarter of a megabyte, at least a KiB each: ${ended}`)
  for (let node = 0; node < 2; node++)
    assert.is(await codeOf(() => nodes[node]!.runs.create(owner)), 'rate_limited', `node ${node}`)
  const removed = ended
  assert.is(await endOne({ user_id: 'bob', tenant_id: 'other' }), 'taken')
  await clock.advance(3 * ROUND)
  for (let n = 0; n < removed; n++)
    assert.equal(shared.log({ owner, run_id: `r${n}` }), [], 'the store has nothing of a removed run')
  await clock.advance(60_000)
  const before = ended
  for (let last = 'taken'; last === 'taken' && ended < before + 1_000; ) last = await endOne(owner)
  assert.ok(ended - before > 100, `there is room again: ${ended - before}`)
})

test('runs that are removed at once are marked and erased in batches', async () => {
  const { clock, nodes } = cluster(1, { maxFinishedRuns: 1_000 })
  const [{ runs, store, list }] = nodes
  for (let n = 0; n < 600; n++) {
    await runs.create(owner, { run_id: `r${n}` })
    await runs.append(owner, `r${n}`, [started, finished])
  }
  const [marks, erased] = [counter(), counter()]
  store.answer = ({ gone }) => (gone ? marks.during(async () => undefined) : undefined)
  const { forget } = store
  Object.assign(store, { forget: (...given: Parameters<typeof forget>) => erased.during(() => forget(...given)) })
  const round = async (): Promise<void> => {
    await clock.advance(ROUND)
    for (let turn = 0; turn < 20; turn++) await settle()
  }
  for (let n = 0; n <= TTL / ROUND; n++) await round()
  assert.equal(await list(), [])
  for (let n = 0; n < 3; n++) await round()
  assert.equal([marks.all, erased.all], [600, 600])
  assert.ok(marks.most <= 256 && erased.most <= 256, `${marks.most} and ${erased.most} at a time`)
})

test('a removal is retried until the store accepts it', async () => {
  const { clock, nodes } = cluster(2)
  const failures: RunAppended['is'][] = ['refused', 'unknown', 'refused']
  await makeEnded(nodes[0])
  nodes[0].store.answer = ({ gone }) =>
    gone && failures.length > 0 ? ({ is: failures.shift()! } as RunAppended) : undefined
  await clock.advance(TTL)
  assert.equal([failures.length, await nodes[0].list(), await nodes[1].list()], [2, [], [run_id]])
  nodes[0].store.away = true
  await clock.advance(2 * ROUND)
  assert.is(failures.length, 2, 'no removal is tried while the store is away')
  nodes[0].store.away = false
  await clock.advance(3 * ROUND)
  assert.equal([failures.length, await nodes[1].list()], [0, []])
})

test('erased runs are gone on every node when the call ends, and a store that refuses makes it fail until it does', async () => {
  const { shared, nodes } = cluster(2)
  await makeEnded(nodes[0])
  await nodes[0].runs.create(owner, { run_id: 'running' })
  nodes[1].store.answer = ({ gone }) => (gone ? { is: 'refused' } : undefined)
  for (const _time of ['first', 'second']) assert.is(await codeOf(() => nodes[1].runs.erase(owner)), 'overloaded')
  assert.not.ok(shared.log(name).at(-1)!.head!.gone)
  nodes[1].store.answer = undefined
  assert.is(await nodes[1].runs.erase(owner), 0, 'what was left')
  for (const id of [run_id, 'running'])
    assert.equal(
      shared.log({ owner, run_id: id }).map(({ head, events }) => [head?.gone, events.length]),
      [[true, 0]],
    )
  for (const node of nodes) assert.equal(await node.list(), [])
})

test('a run above the limit is removed by any node whose writes succeed, also if the first node fails', async () => {
  const { clock, shared, nodes } = cluster(2)
  await makeEnded(nodes[0])
  const refuse = ({ gone }: { gone: boolean }): RunAppended | undefined => (gone ? { is: 'refused' } : undefined)
  for (const { store } of nodes) store.answer = refuse
  for (let n = 0; n < runDefaults.maxFinishedRuns; n++) {
    await nodes[1].runs.create(owner, { run_id: `n${n}` })
    await nodes[1].runs.append(owner, `n${n}`, [started, finished])
  }
  await clock.advance(2 * ROUND)
  assert.not.ok(shared.log(name).at(-1)!.head!.gone)
  nodes[1].store.answer = undefined
  await clock.advance(ROUND)
  assert.ok(shared.log(name).at(-1)!.head!.gone)
  for (const node of nodes) assert.not.ok((await node.list()).includes(run_id))
})

test('a removed run can be created again, and is written and read on every node', async () => {
  // While the mark of the removed run exists, and after it is gone.
  for (const after of [ROUND, 60_000 + 3 * ROUND]) {
    const { clock, nodes } = cluster(2)
    const { epoch } = await makeEnded(nodes[0])
    await clock.advance(TTL + after)
    const made = await nodes[1].runs.create(owner, { run_id })
    assert.is.not(made.epoch, epoch)
    for (const [at, { runs }] of nodes.entries()) {
      const { last_seq } = await runs.append(owner, run_id, at === 0 ? [started, said('a')] : [said('b')])
      assert.is(last_seq, 2 + at)
    }
    for (const { runs } of nodes) {
      const run = await runs.find(owner, run_id, true)
      assert.equal([run?.record.last_seq, run?.record.epoch], [3, made.epoch])
    }
  }
})

test('a message in the log that no node wrote is ignored', async () => {
  const { shared, nodes } = cluster(2)
  await nodes[0].runs.create(owner, { run_id })
  for (const event of [started, said('a'), said('b')]) await nodes[0].runs.append(owner, run_id, [event])
  shared.smuggle(name, [JSON.stringify(said('strange'))])
  const [one, other] = await Promise.all(nodes.map(({ runs }) => runs.find(owner, run_id, false)))
  assert.equal(framesOf(other!), framesOf(one!))
})

test('a reader whose messages stop gets the missed events within seconds, once', async () => {
  const { clock, nodes } = cluster(2)
  await nodes[0].runs.create(owner, { run_id })
  await nodes[0].runs.append(owner, run_id, [started])
  const read = (await nodes[1].runs.find(owner, run_id, false))!
  for (const last of [3, 5]) {
    nodes[1].store.silence(name)
    await nodes[0].runs.append(owner, run_id, [said('a'), said('b')])
    await clock.advance(5_000)
    assert.is(read.record.last_seq, last)
  }
})

test.run()
