/**
 * Three nodes of the built program while NATS fails and recovers: events reach readers on all nodes, and appends end in
 * time.
 */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { tokenFor } from '../../conformance/caller.ts'
import { measureLoopDelay } from '../../support/loop-delay.ts'
import { testUnless } from '../../support/skip.ts'
import { startCutter } from './cutter.ts'
import { freeze } from './freeze.ts'
import { type Cluster, noCluster, startCluster, until } from './rig.ts'

const test = suite('cluster: entity streams of three nodes')

/** The longest wait for what normally takes a moment, in milliseconds. */
const LIMIT_MS = 60_000

const it = (name: string, work: () => Promise<void>): void => testUnless(test, noCluster, name, work)

interface Event {
  readonly topic: string
  readonly identifier: string
  readonly operation: string
  readonly data: unknown
}

let cluster: Cluster

test.before(async () => {
  if (noCluster === undefined) cluster = await startCluster(3)
})
test.after(() => cluster?.stop())

const tokenOf = (tenant: string): string => tokenFor({ user: 'ada', tenant, scopes: ['live:publish'] })

/** Opens a stream of a node and reads its events. */
async function follow(node: number, as: string, path = '/api/live') {
  const abort = new AbortController()
  const response = await fetch(cluster.nodes[node]!.base + path, {
    headers: { authorization: `Bearer ${as}` },
    signal: abort.signal,
  })
  assert.is(response.status, 200)
  const events: Event[] = []
  let over = false
  const reading = (async () => {
    let text = ''
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      text += piece
      const blocks = text.split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) if (block.startsWith('data: ')) events.push(JSON.parse(block.slice(6)) as Event)
    }
  })()
    .catch(() => undefined)
    .finally(() => (over = true))
  return {
    events,
    get over() {
      return over
    },
    close: async () => {
      abort.abort()
      await reading
    },
  }
}

const publish = (as: string, identifier: string, node?: number, topic = 'todos') =>
  cluster.send(`/api/live/${topic}`, {
    method: 'POST',
    as,
    body: { identifier, operation: 'update', data: null },
    ...(node !== undefined && { node }),
  })

const identifiers = ({ events }: { events: readonly Event[] }): string[] => events.map(({ identifier }) => identifier)

it('events published on any node reach every node once, in the order of each publisher', async () => {
  const as = tokenOf('acme')
  const readers = await Promise.all([0, 1, 2].map((node) => follow(node, as)))
  const one = await follow(1, as, '/api/live/notes')
  await Promise.all(
    [0, 1, 2].map(async (node) => {
      for (let i = 0; i < 30; i++) assert.is((await publish(as, `${node}-${i}`, node)).status, 202)
    }),
  )
  await publish(as, 'a note', 0, 'notes')
  await until(
    'all is heard',
    async () => readers.every(({ events }) => events.length >= 91) && one.events.length >= 1,
    LIMIT_MS,
  )
  for (const reader of readers) {
    const seen = identifiers(reader)
    assert.is(seen.length, 91)
    for (const node of [0, 1, 2])
      assert.equal(
        seen.filter((id) => id.startsWith(`${node}-`)),
        Array.from({ length: 30 }, (_, i) => `${node}-${i}`),
      )
  }
  assert.equal(identifiers(one), ['a note'])
  await Promise.all([...readers, one].map((reader) => reader.close()))
})

it('a tenant gets no events of another tenant, whatever their names are', async () => {
  const names = ['a', 'a.b', '*', '>', 'a.*', 'a.>', 'svc.live.>', ' ', 'a b', 'a\tb', 'a\u0001b', '💥', 'ä', 'a\u0308']
  const tokens = names.map(tokenOf)
  const readers = await Promise.all(tokens.map((as, index) => follow(index % 3, as)))
  await Promise.all(tokens.map((as, index) => publish(as, `of ${index}`, (index + 1) % 3)))
  await until('each has its own', async () => readers.every(({ events }) => events.length > 0), LIMIT_MS)
  // An event of another tenant would arrive before these.
  await Promise.all(tokens.map((as, index) => publish(as, `later of ${index}`, (index + 1) % 3)))
  await until('each has its later event', async () => readers.every(({ events }) => events.length > 1), LIMIT_MS)
  for (const [index, reader] of readers.entries())
    assert.equal(identifiers(reader), [`of ${index}`, `later of ${index}`], JSON.stringify(names[index]))
  await Promise.all(readers.map((reader) => reader.close()))
})

it('while NATS is away streams stay open and publishing gets 503; afterwards readers get a notice of possible gaps', async () => {
  const as = tokenOf('away')
  const [reader, bridge] = await Promise.all([follow(0, as), follow(1, as, '/api/svc/sync/stream')])
  await cluster.nats.kill()
  await until(
    'publishing is refused on every node',
    async () => {
      const answers = await Promise.all([0, 1, 2].map((node) => publish(as, 'lost', node)))
      return answers.every(({ status, headers }) => status === 503 && headers.get('retry-after') === '1')
    },
    LIMIT_MS,
  )
  const ready = await cluster.send('/readyz', { node: 0 })
  assert.is(ready.status, 200, 'a short outage does not remove the node from the balancer')
  assert.equal((ready.body['checks'] as Record<string, unknown>)['nats'], { status: 'failed', required: false })
  const late = await follow(2, as)
  assert.not.ok(reader.over || late.over)
  await cluster.nats.start()
  await until(
    'all nodes publish again',
    async () => {
      const answers = await Promise.all([0, 1, 2].map((node) => publish(as, `back ${node}`, node)))
      return answers.every(({ status }) => status === 202)
    },
    LIMIT_MS,
  )
  for (const { events } of [reader, late]) {
    await until('the notice arrives', async () => events.some(({ operation }) => operation === 'lagged'), LIMIT_MS)
    const notice = events.find(({ operation }) => operation === 'lagged')
    assert.equal(notice, { topic: '$svc', identifier: 'stream', operation: 'lagged', data: { dropped: null } })
  }
  // What was published before the notice may be missing; what is published after it is not.
  await Promise.all([0, 1, 2].map((node) => publish(as, `after ${node}`, node)))
  for (const { events } of [reader, late])
    await until(
      'events of all nodes arrive',
      async () => [0, 1, 2].every((n) => events.some(({ identifier }) => identifier === `after ${n}`)),
      LIMIT_MS,
    )
  await until('the bridge ends, because events may be missing', async () => bridge.over, LIMIT_MS)
  await Promise.all([reader, late, bridge].map((one) => one.close()))
})

it('while NATS is frozen each append is answered within 5 s: 503 with Retry-After, or 504', async () => {
  const as = tokenOf('frozen')
  const path = '/api/svc/runs/frozen/events'
  const append = async (node: number, type = 'CUSTOM') => {
    const since = performance.now()
    const body = { type, threadId: 't', runId: 'frozen', name: 'x', value: null }
    const { status, code, headers } = await cluster.send(path, { method: 'POST', as, body, node })
    return { status, code, again: headers.get('retry-after'), ms: performance.now() - since }
  }
  await cluster.send('/api/svc/runs', { method: 'POST', as, body: { run_id: 'frozen' } })
  assert.is((await append(0, 'RUN_STARTED')).status, 200)
  const thaw = await freeze(cluster.nats.pid)
  const loop = measureLoopDelay()
  try {
    // The first node has the run in memory, and two of its appends wait for each other.
    const answers = await Promise.all([append(0), append(0), append(1)])
    for (const { status, code, again, ms } of answers) {
      const said = [status, code, again].join()
      assert.ok(['503,overloaded,1', '504,append_unknown,'].includes(said), said)
      assert.ok(ms < 5_000 + loop.maxMs, `${said} after ${ms} ms, in a process that was ${loop.maxMs} ms late`)
    }
    assert.ok(answers.some(({ status }) => status === 504))
  } finally {
    thaw()
  }
  await until(
    'each node appends again',
    async () => (await Promise.all([0, 1, 2].map((node) => append(node)))).every(({ status }) => status === 200),
    LIMIT_MS,
  )
})

it('a node behind a cut network detects the cut, and its readers get a notice once the network is back', async () => {
  const cutter = await startCutter(cluster.nats.port)
  const node = await cluster.join({ SVC_CLUSTER__NATS_URL: `nats://127.0.0.1:${cutter.port}` })
  try {
    const as = tokenOf('cut')
    const reader = await follow(3, as)
    await publish(as, 'before', 0)
    await until('events of other nodes arrive', async () => reader.events.length === 1, LIMIT_MS)
    cutter.cut()
    await publish(as, 'meanwhile', 0)
    await until(
      'the node refuses to publish',
      async () => (await publish(as, 'from inside', 3)).status === 503,
      LIMIT_MS,
    )
    cutter.mend()
    await until('it is back', async () => (await publish(as, 'after', 3)).status === 202, LIMIT_MS)
    await until('the reader gets later events', async () => identifiers(reader).includes('after'), LIMIT_MS)
    assert.ok(reader.events.some(({ operation }) => operation === 'lagged'))
    await reader.close()
  } finally {
    cluster.nodes.splice(3, 1)
    await node.stop()
    await cutter.stop()
  }
})

test.run()
