/** Runs behind a network that is cut without notice: acknowledged events, read events, and memory use. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { tokenFor } from '../../conformance/caller.ts'
import { memoryOf, noMemory, resetPeak } from '../../support/process-memory.ts'
import { testUnless } from '../../support/skip.ts'
import { type Cutter, startCutter } from './cutter.ts'
import { type Answer, type Cluster, noCluster, startCluster, until } from './rig.ts'
import { readRun } from './run-reader.ts'

const test = suite('cluster: runs behind a cut network')
const it = (name: string, work: () => Promise<void>): void => testUnless(test, noCluster ?? noMemory, name, work)

const RUNS = '/api/svc/runs'
const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const said = (name: string, value: unknown = null): object => ({ type: 'CUSTOM', name, value })

/** The node behind the network that is cut. */
const FAR = 1

/** How long a node may take to notice that NATS is away or back, in milliseconds. */
const SEEN_MS = 60_000

/** Additional memory that a node may use while NATS is away, in bytes; less than the sent data. */
const MORE_MEMORY = 402_653_184

let cluster: Cluster
let cutter: Cutter
let as: string

test.before(async () => {
  if ((noCluster ?? noMemory) !== undefined) return
  cluster = await startCluster(1)
  cutter = await startCutter(cluster.nats.port)
  await cluster.join({ SVC_CLUSTER__NATS_URL: `nats://127.0.0.1:${cutter.port}` })
  as = tokenFor({ user: 'ann', tenant: 'acme' })
})
test.after(async () => {
  cutter?.mend()
  await cluster?.stop()
  await cutter?.stop()
})

const make = async (run_id: string): Promise<string> => {
  const { status, body } = await cluster.send(RUNS, { method: 'POST', as, body: { run_id }, node: 0 })
  assert.is(status, 201, JSON.stringify(body))
  return String(body['epoch'])
}

const append = (run: string, events: unknown, node: number, match?: string): Promise<Answer> =>
  cluster.send(`${RUNS}/${run}/events`, {
    method: 'POST',
    as,
    body: events,
    node,
    ...(match !== undefined && { headers: { 'if-match': match } }),
  })

it('after a cut in mid-stream no acknowledged event is missing, and a resumed reader gets no event twice', async () => {
  const epoch = await make('cut')
  assert.is((await append('cut', started, 0)).status, 200)
  const open = await readRun(cluster.nodes[FAR]!.base, 'cut', { as })
  const acknowledged: string[] = ['RUN_STARTED']
  /** Appends as a client that wants each event once: the append is sent again until it is acknowledged. */
  const say = async (name: string, node: number): Promise<void> => {
    const match = `"${epoch}-${acknowledged.length}"`
    await until(name, async () => (await append('cut', said(name), node, match)).status === 200, SEEN_MS)
    acknowledged.push(name)
  }
  for (let i = 0; i < 10; i++) await say(`before ${i}`, i % 2)
  await until('it is read', async () => open.ids.length === acknowledged.length, SEEN_MS)
  cutter.cut()
  for (let i = 0; i < 5; i++) await say(`meanwhile ${i}`, 0)
  // An append into the cut is not acknowledged; sent again to another node, it is.
  const lost = await append('cut', said('into the cut'), FAR, `"${epoch}-${acknowledged.length}"`)
  assert.ok(lost.code === 'append_unknown' || lost.code === 'overloaded', JSON.stringify(lost.body))
  await say('into the cut', 0)
  const atCut = open.ids.length
  const elsewhere = await readRun(cluster.nodes[0]!.base, 'cut', { as, after: open.ids.at(-1)! })
  await until('the rest is read', async () => elsewhere.ids.length + atCut === acknowledged.length, SEEN_MS)
  cutter.mend()
  await say('after', FAR)
  await until('the stream continues or ends', async () => open.over || open.ids.length > atCut, SEEN_MS)
  const atResume = open.ids.length
  const resumed = await readRun(cluster.nodes[FAR]!.base, 'cut', { as, after: open.ids.at(-1)! })
  assert.is((await append('cut', { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }, FAR)).status, 200)
  acknowledged.push('RUN_FINISHED')
  await until('all are over', async () => open.over && elsewhere.over && resumed.over, SEEN_MS)
  const names = (events: typeof open.events): unknown[] => events.map(({ type, name }) => name ?? type)
  assert.equal(names([...open.events.slice(0, atCut), ...elsewhere.events]), acknowledged)
  assert.equal(names([...open.events.slice(0, atResume), ...resumed.events]), acknowledged)
  assert.equal(names(open.events), acknowledged.slice(0, open.events.length), 'the connected reader has no gap')
  assert.equal(
    [...open.ids.slice(0, atCut), ...elsewhere.ids],
    acknowledged.map((_, index) => `${epoch}-${index + 1}`),
  )
})

it('a node that is cut off refuses events that it cannot forward, with bounded memory', async () => {
  const runs = Array.from({ length: 8 }, (_, index) => `flood-${index}`)
  for (const run of runs) {
    await make(run)
    assert.is((await append(run, started, FAR)).status, 200)
  }
  const large = said('large', 'x'.repeat(700_000))
  const { pid } = cluster.nodes[FAR]!.child
  const { rssBytes } = memoryOf(pid)
  resetPeak(pid)
  cutter.cut()
  const refused = new Map<string, number>()
  for (let round = 0; round < 8; round++) {
    const answers = await Promise.all(Array.from({ length: 80 }, (_, n) => append(runs[n % 8]!, large, FAR)))
    for (const { status, code } of answers) {
      const what = `${status} ${code}`
      refused.set(what, (refused.get(what) ?? 0) + 1)
    }
  }
  for (const what of refused.keys())
    assert.ok(['503 overloaded', '504 append_unknown'].includes(what), JSON.stringify([...refused]))
  const grown = memoryOf(pid).peakBytes - rssBytes
  assert.ok(grown < MORE_MEMORY, `${Math.round(grown / 2 ** 20)} MiB more`)
  cutter.mend()
  for (const run of runs)
    await until(
      'the node accepts events again',
      async () => (await append(run, said('after'), FAR)).status === 200,
      SEEN_MS,
    )
})

test.run()
