/** Runs of three nodes that ship: written through any, read on any, with NATS and nodes going and coming. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { testUnless } from '../../support/skip.ts'
import { type Cluster, noCluster, startCluster, until } from './rig.ts'
import { type Reading, readRun } from './run-reader.ts'

const test = suite('cluster: runs of three nodes')
const it = (name: string, work: () => Promise<void>): void => testUnless(test, noCluster, name, work)

const RUNS = '/api/svc/runs'
const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }
const said = (name: string): object => ({ type: 'CUSTOM', name, value: null })

let cluster: Cluster
let as: string
const reading: Reading[] = []

test.before(async () => {
  if (noCluster !== undefined) return
  cluster = await startCluster(3)
  as = await tokenOf('ann')
})
test.after.each(() => {
  for (const one of reading.splice(0)) one.close()
})
test.after(() => cluster?.stop())

const tokenOf = async (sub: string, tenant = 'acme'): Promise<string> =>
  (await cluster.nodes[0]!.command('token', '--sub', sub, '--tenant', tenant)).trim()

const make = (run_id: string, node?: number, who = as) =>
  cluster.send(RUNS, { method: 'POST', as: who, body: { run_id }, ...(node !== undefined && { node }) })

const append = (run: string, events: unknown, options: { node?: number; match?: string; as?: string } = {}) =>
  cluster.send(`${RUNS}/${run}/events`, {
    method: 'POST',
    as: options.as ?? as,
    body: events,
    ...(options.node !== undefined && { node: options.node }),
    ...(options.match !== undefined && { headers: { 'if-match': options.match } }),
  })

const read = async (run: string, node: number, options: { mode?: string; after?: string; as?: string } = {}) => {
  const one = await readRun(cluster.nodes[node]!.base, run, { as, ...options })
  reading.push(one)
  return one
}

it('a run made on one node is written through the next and read on the third, with one numbering', async () => {
  const { status, body } = await make('r1', 0)
  assert.is(status, 201, JSON.stringify(body))
  const epoch = String(body['epoch'])
  const reader = await read('r1', 2)
  for (const node of [1, 2, 0, 1]) {
    const events = node === 1 && reader.events.length === 0 ? [started, said('first')] : [said(`through ${node}`)]
    const answer = await append('r1', events, { node })
    assert.is(answer.status, 200, JSON.stringify(answer.body))
    await until('it arrives', async () => reader.ids.includes(`${epoch}-${answer.body['last_seq']}`), 5_000)
  }
  assert.is((await append('r1', finished, { node: 2 })).status, 200)
  await until('it ends', async () => reader.over, 5_000)
  assert.equal(
    reader.ids,
    [1, 2, 3, 4, 5, 6].map((seq) => `${epoch}-${seq}`),
  )
  for (const node of [0, 1, 2]) {
    const one = await cluster.send(`${RUNS}/r1`, { as, node })
    assert.equal([one.body['status'], one.body['last_seq'], one.body['epoch']], ['finished', 6, epoch])
    const all = (await cluster.send(RUNS, { as, node })).body['runs'] as { run_id: string; last_seq: number }[]
    assert.is(all.find(({ run_id }) => run_id === 'r1')?.last_seq, 6)
    const late = await read('r1', node, { after: `${epoch}-4` })
    await until('the rest is there', async () => late.over, 5_000)
    assert.equal(late.ids, [`${epoch}-5`, `${epoch}-6`])
    assert.is((await read('r1', node, { after: `${epoch}-6` })).status, 204)
    assert.is((await make('r1', node)).code, 'run_exists')
    assert.is((await append('r1', said('too late'), { node })).code, 'run_event_order')
  }
})

test.run()
