/** Runs on three shipped nodes: written and read through any node, while NATS and nodes stop and start. */
import { connect } from '@nats-io/transport-node'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ensureStream, JetStreamError } from '../../../plugins/cluster/nats/jetstream.ts'
import { fileStoreBytes } from '../../../scripts/cluster/engines.ts'
import { tokenFor } from '../../conformance/caller.ts'
import { testUnless } from '../../support/skip.ts'
import { startCutter } from './cutter.ts'
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
  as = tokenOf('ann')
})
test.after.each(() => {
  for (const one of reading.splice(0)) one.close()
})
test.after(() => cluster?.stop())

const tokenOf = (user: string, tenant = 'acme'): string => tokenFor({ user, tenant })

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

it('a run that is created on one node can be written on another and read on a third, with one sequence', async () => {
  const { status, body } = await make('r1', 0)
  assert.is(status, 201, JSON.stringify(body))
  const epoch = String(body['epoch'])
  const reader = await read('r1', 2)
  for (const node of [1, 2, 0, 1]) {
    const events = node === 1 && reader.events.length === 0 ? [started, said('first')] : [said(`through ${node}`)]
    const answer = await append('r1', events, { node })
    assert.is(answer.status, 200, JSON.stringify(answer.body))
    await until('it arrives', async () => reader.ids.includes(`${epoch}-${answer.body['last_seq']}`), 60_000)
  }
  assert.is((await append('r1', finished, { node: 2 })).status, 200)
  await until('it ends', async () => reader.over, 60_000)
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
    await until('the rest is there', async () => late.over, 60_000)
    assert.equal(late.ids, [`${epoch}-5`, `${epoch}-6`])
    assert.is((await read('r1', node, { after: `${epoch}-6` })).status, 204)
    assert.is((await make('r1', node)).code, 'run_exists')
    assert.is((await append('r1', said('too late'), { node })).code, 'run_event_order')
  }
})

it('when two clients append through two nodes at once, each sequence is given once, and all readers see one order without a gap', async () => {
  await make('race')
  await append('race', started)
  const readers = await Promise.all([0, 1, 2].map((node) => read('race', node)))
  const sent = await Promise.all(
    [0, 1].map(async (node) => {
      const done: string[] = []
      for (let i = 0; i < 25; i++) {
        const answer = await append('race', said(`${node}-${i}`), { node })
        assert.ok(answer.status === 200 || answer.code === 'overloaded', JSON.stringify(answer.body))
        if (answer.status === 200) done.push(`${answer.body['last_seq']} ${node}-${i}`)
      }
      return done
    }),
  )
  const all = sent.flat().sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
  assert.is(new Set(all.map((one) => Number.parseInt(one, 10))).size, all.length, 'no sequence is given twice')
  assert.equal(
    all.map((one) => Number.parseInt(one, 10)),
    all.map((_, index) => index + 2),
  )
  for (const reader of readers) {
    await until('all is read', async () => reader.events.length === all.length + 1, 60_000)
    assert.equal(
      reader.events.slice(1).map((event, index) => `${index + 2} ${event['name']}`),
      all,
    )
  }
})

it('a batch with a lost acknowledgement is in the run once after it is sent again with If-Match', async () => {
  const cutter = await startCutter(cluster.nats.port)
  const node = await cluster.join({ SVC_CLUSTER__NATS_URL: `nats://127.0.0.1:${cutter.port}` })
  try {
    const epoch = String((await make('once', 3)).body['epoch'])
    assert.is((await append('once', started, { node: 3 })).status, 200)
    const batch = [said('a'), said('b')]
    const match = `"${epoch}-1"`
    cutter.cut('answers')
    const lost = await append('once', batch, { node: 3, match })
    assert.equal([lost.status, lost.code], [504, 'append_unknown'])
    for (const again of [0, 1, 2]) {
      const { status, body } = await append('once', batch, { node: again, match })
      assert.equal([status, body['last_seq']], [200, 3])
    }
    const other = await append('once', said('c'), { node: 1, match })
    assert.equal([other.status, other.code], [412, 'run_position_mismatch'])
    assert.is((other.body['error'] as { lastSeq: number }).lastSeq, 3)
    assert.is((await append('once', said('c'), { match: epoch })).status, 400)
    const reader = await read('once', 2)
    await until('it is read', async () => reader.events.length >= 3, 60_000)
    assert.equal(
      reader.events.map(({ type, ...event }) => event['name'] ?? type),
      ['RUN_STARTED', 'a', 'b'],
    )
  } finally {
    cluster.nodes.splice(3, 1)
    cutter.mend()
    await node.stop()
    await cutter.stop()
  }
})

it('runs with the same name of owners with hostile names are separate runs', async () => {
  const names = [
    'a',
    'a.b',
    '*',
    '>',
    'a.*',
    'svc.run.>',
    ' ',
    'a b',
    'a\tb',
    'a\u0001b',
    'a\r\nNats-Rollup: all',
    '💥',
    'ä',
  ]
  const owners = names.flatMap((name) => [
    { token: tokenOf(name), name: `user ${name}` },
    { token: tokenOf('ann', name), name: `tenant ${name}` },
  ])
  await Promise.all(
    owners.map(async ({ token, name }, index) => {
      const node = index % 3
      assert.is((await make('x.y:z', node, token)).status, 201, name)
      assert.is((await append('x.y:z', [started, said(name)], { node: (node + 1) % 3, as: token })).status, 200, name)
      const reader = await read('x.y:z', (node + 2) % 3, { as: token })
      await until(name, async () => reader.events.length === 2, 60_000)
      assert.is(reader.events[1]?.['name'], name)
      const { runs } = (await cluster.send(RUNS, { as: token })).body as { runs: { run_id: string }[] }
      assert.equal(
        runs.map(({ run_id }) => run_id),
        ['x.y:z'],
      )
    }),
  )
})

it('a new node reports removed history as a gap', async () => {
  const narrow = { SVC_REALTIME__RUN_MAX_EVENTS: '2' }
  const nodes = [await cluster.join(narrow), await cluster.join(narrow)]
  try {
    const epoch = String((await make('short', 0)).body['epoch'])
    const open = { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' }
    const text = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'hello' }
    const close = { type: 'TEXT_MESSAGE_END', messageId: 'm' }
    assert.is((await append('short', [started, open], { node: 3 })).status, 200)
    assert.is((await append('short', [text, close], { node: 3 })).status, 200)
    for (const node of [4, 3]) {
      const reader = await read('short', node, { after: `${epoch}-1` })
      assert.is(reader.status, 200, `node ${node}`)
      assert.is(reader.headers.get('svc-last-event-id'), `${epoch}-2`)
      await until('the rest is there', async () => reader.ids.length === 2, 60_000)
      assert.equal(
        reader.events.map(({ name, type }) => name ?? type),
        ['svc.stream.gap', text.type, close.type],
      )
    }
  } finally {
    cluster.nodes.splice(3, 2)
    await Promise.all(nodes.map((node) => node.stop()))
  }
})

it('the streams of runs reserve three times realtime.runs_max_bytes, at default settings 1.5 GiB', async () => {
  const nats = await connect({ servers: cluster.nats.url })
  try {
    const rest = fileStoreBytes - 1.5 * 2 ** 30
    const streams = [rest + 1, rest].map((max_bytes) => ({
      name: 'REST',
      subjects: ['rest'],
      max_bytes,
      num_replicas: 1,
    }))
    const refused = await ensureStream(nats, streams[0]!).catch((error: unknown) => error)
    assert.instance(refused, JetStreamError)
    assert.match((refused as JetStreamError).message, /insufficient storage/)
    await ensureStream(nats, streams[1]!)
    await nats.request('$JS.API.STREAM.DELETE.REST')
  } finally {
    await nats.close()
  }
})

it('after kill -9 of a node in mid-stream its reader continues on another node, without lost or duplicate events', async () => {
  const node = await cluster.join()
  await make('killed', 3)
  await append('killed', started, { node: 3 })
  const reader = await read('killed', 3)
  let acknowledged = 1
  const writing = (async () => {
    for (let i = 0; i < 60; i++) {
      const answer = await append('killed', said(String(i)), { node: i % 3 })
      if (answer.status === 200) acknowledged = Math.max(acknowledged, Number(answer.body['last_seq']))
    }
  })()
  await until('it reads', async () => reader.ids.length > 5, 60_000)
  node.child.kill('SIGKILL')
  cluster.nodes.splice(3, 1)
  await until('its stream ends', async () => reader.over, 60_000)
  await writing
  const rest = await read('killed', 1, { after: reader.ids.at(-1)! })
  await until('the rest is read', async () => reader.ids.length + rest.ids.length === acknowledged, 60_000)
  assert.equal(
    [...reader.ids, ...rest.ids].map((id) => Number(id.split('-')[1])),
    Array.from({ length: acknowledged }, (_, index) => index + 1),
  )
  await node.child.exited
})

it('after kill -9 of NATS runs in memory can be read and others get 503; when NATS is back no acknowledged event is missing', async () => {
  const epoch = String((await make('before', 0)).body['epoch'])
  await append('before', [started, said('one')], { node: 0 })
  await make('elsewhere', 1)
  const reader = await read('before', 2)
  await until('it reads', async () => reader.ids.length === 2, 60_000)
  await cluster.nats.kill()
  await until(
    'appends are refused with 503, so they are not written',
    async () => {
      const answer = await append('before', said('lost'), { node: 0 })
      return answer.status === 503 && answer.headers.get('retry-after') !== null
    },
    60_000,
  )
  assert.is((await cluster.send(`${RUNS}/before`, { as, node: 2 })).body['last_seq'], 2)
  const held = await read('before', 2, { after: `${epoch}-1` })
  await until('the run is served from memory', async () => held.ids.length === 1, 60_000)
  assert.is((await read('elsewhere', 2)).status, 503)
  assert.is((await cluster.send(`${RUNS}/elsewhere`, { as, node: 2 })).status, 503)
  const ready = (await cluster.send('/readyz', { node: 0 })).body['checks'] as Record<string, { status: string }>
  assert.is(ready['nats']?.status, 'failed')
  const scrape = async (): Promise<string> => (await fetch(`${cluster.nodes[0]!.base}/metrics`)).text()
  assert.match(await scrape(), '\nsvc_cluster_run_appends_up{engine="nats"} 0\n')
  assert.not.ok(reader.over, 'the stream stays open')
  await cluster.nats.start()
  let lastSeq = 0
  await until(
    'runs are found again',
    async () => {
      lastSeq = Number((await cluster.send(`${RUNS}/before`, { as, node: 0 })).body['last_seq'])
      return lastSeq >= 2
    },
    60_000,
  )
  const match = `"${epoch}-${lastSeq++}"`
  await until(
    'appends succeed again',
    async () => (await append('before', said('two'), { match })).status === 200,
    60_000,
  )
  await until('the open stream continues', async () => reader.ids.length >= lastSeq, 60_000)
  assert.equal(
    reader.ids,
    Array.from({ length: lastSeq }, (_, index) => `${epoch}-${index + 1}`),
  )
  assert.equal(reader.events.filter(({ name }) => name === 'two').length, 1)
  assert.match(await scrape(), /^svc_cluster_run_appends_total\{outcome="written"\} [1-9]/m)
  await until(
    'runs take appends',
    async () => (await scrape()).includes('\nsvc_cluster_run_appends_up{engine="nats"} 1\n'),
    60_000,
  )
})

test.run()
